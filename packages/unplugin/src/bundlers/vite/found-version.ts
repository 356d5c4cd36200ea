import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The version of the Vite whose command runs; `undefined` where another program, such as a framework's, runs it. */
export function commandVersion(command: string | undefined = process.argv[1]): string | undefined {
  if (command === undefined) return undefined
  try {
    return versionIn(path.join(path.dirname(realpathSync(command)), '..', 'package.json'))
  } catch {
    // A command that is no file, or stands in no package.
    return undefined
  }
}

/** The version of the Vite that a project has installed, which need not be the one that runs. */
export function installedVersion(root: string): string | undefined {
  try {
    return versionIn(createRequire(path.join(root, 'package.json')).resolve('vite/package.json'))
  } catch {
    // Not installed there: a framework may bring its own.
    return undefined
  }
}

function versionIn(manifest: string): string | undefined {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version?: string }
  return name === 'vite' ? version : undefined
}
