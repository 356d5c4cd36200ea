import os from 'node:os'
import path from 'node:path'
import { projectCacheFolder, projectFolder } from '@pixpress/core/internal'
import type { LoadedConfig } from './config.ts'
import type { Surroundings } from './output.ts'

/** Returns the cache folder: the project's, which the plugin uses too, or outside of a project the user's. */
export function defaultCacheFolder(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  const project = projectFolder(cwd)
  return project === undefined ? path.join(userCacheFolder(env), 'pixpress') : projectCacheFolder(project)
}

/** The folder that the configuration names, or the usual one. */
export function configuredCacheFolder(
  { config: { cache }, file }: LoadedConfig,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): string {
  const dir = typeof cache === 'object' ? cache.dir : undefined
  return dir === undefined ? defaultCacheFolder(cwd, env) : path.resolve(path.dirname(file ?? cwd), dir)
}

/**
 * Follows the conventions of the system. On Linux that is the XDG Base Directory Specification, which ignores relative
 * paths.
 */
function userCacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches')
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? path.join(os.homedir(), 'AppData', 'Local')
  const xdg = env['XDG_CACHE_HOME'] ?? ''
  return path.isAbsolute(xdg) ? xdg : path.join(os.homedir(), '.cache')
}
