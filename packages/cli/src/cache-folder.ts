import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Where results are kept: in the project's `node_modules/.cache/pixpress`, which the plugin uses too, or outside of a project
 * in the user's cache folder.
 */
export function defaultCacheFolder(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  const project = projectFolder(cwd)
  return project === undefined
    ? path.join(userCacheFolder(env), 'pixpress')
    : path.join(project, 'node_modules', '.cache', 'pixpress')
}

/** The nearest folder upwards with a manifest, where `node_modules` belongs. */
function projectFolder(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}

/** As the systems have it; on Linux by the XDG Base Directory Specification, which wants relative paths ignored. */
function userCacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches')
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? path.join(os.homedir(), 'AppData', 'Local')
  const xdg = env['XDG_CACHE_HOME'] ?? ''
  return path.isAbsolute(xdg) ? xdg : path.join(os.homedir(), '.cache')
}
