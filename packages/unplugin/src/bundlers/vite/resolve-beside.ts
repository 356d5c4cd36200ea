import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { ResolvedConfig } from 'vite'

/** Finds the file that a relative path means; `undefined` where only Vite's resolver can tell. */
export type ResolveBeside = (urlPath: string, importer: string) => string | undefined

/** A path that begins at the folder of the file that it stands in. */
const RELATIVE = /^\.\.?\//

/** Characters with a meaning of their own in the ids of modules. */
const IN_IDS = /[?#\0]/

/**
 * Answers as Vite's resolver does, which takes a container of plugins and several times as long: of relative paths that
 * no alias takes, where the file is there under this very name and no link leads to it.
 */
export function createResolveBeside({ resolve: { alias } }: Pick<ResolvedConfig, 'resolve'>): ResolveBeside {
  const isAliased = (urlPath: string): boolean =>
    alias.some(({ find }) =>
      typeof find === 'string' ? urlPath === find || urlPath.startsWith(`${find}/`) : urlPath.search(find) !== -1,
    )
  return (urlPath, importer) => {
    if (!RELATIVE.test(urlPath) || IN_IDS.test(urlPath) || !path.isAbsolute(importer) || isAliased(urlPath)) {
      return undefined
    }
    const file = path.resolve(path.dirname(importer), urlPath)
    try {
      return realpathSync.native(file) === file ? file : undefined
    } catch {
      // There is no such file, but others may know one.
      return undefined
    }
  }
}
