import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The version of Next.js that a project has; `undefined` where none is found. */
export function nextVersion(root: string): string | undefined {
  try {
    const manifest = createRequire(path.join(root, 'package.json')).resolve('next/package.json')
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version
  } catch {
    return undefined
  }
}
