import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

// JavaScript, as the script that runs the tests needs it before anything can read TypeScript.

/** @type {typeof import('./server-node.d.ts').serverNode} */
export function serverNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const binary = path.join(path.dirname(manifest), 'bin', platform === 'win' ? 'node.exe' : 'node')
  if (!existsSync(binary)) throw new Error(`The server needs Node 22.13 or newer; ${name} has no binary.`)
  return binary
}
