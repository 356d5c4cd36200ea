import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * A Node that can run the server (22.13 or newer, for `node:sqlite`): the one that runs now, or the one that this package
 * installs from the registry for machines with an older Node.
 * @throws Error when there is none for this platform.
 */
export function serverNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const binary = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(binary)) throw new Error(`The server needs Node 22.13 or newer; ${name} has no binary.`)
  return binary
}
