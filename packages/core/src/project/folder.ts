import { existsSync } from 'node:fs'
import path from 'node:path'

/** Returns the nearest folder upwards with a manifest; `undefined` outside of a project. */
export function projectFolder(from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}

/**
 * Where results of a project are kept by default. Not in `node_modules`, which `npm ci` removes whole, and with it the
 * cache that a CI service has just restored.
 */
export function projectCacheFolder(project: string): string {
  return path.join(project, '.cache', 'pixpress')
}
