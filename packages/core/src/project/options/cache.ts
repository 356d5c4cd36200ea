import type { CacheMode } from '../../cache/mode.ts'
import type { CacheRemote } from '../../cache/remote/options.ts'
import { CACHE_SETTINGS } from '../../optimizer/options.ts'
import { flagOr } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

/** Where the results of a project are kept. */
export interface ProjectCache {
  /** Folder, relative to the root. Default: the project's `.cache/pixpress`. */
  dir?: string
  /** Bytes that the folder may hold. Default 1 GiB. */
  maxSize?: number
  /** Where results are shared with other machines, behind the folder. Default: nowhere. */
  remote?: CacheRemote | undefined
  /**
   * `readwrite`: results go into the folder and to the remote. `read`: the remote, or without one the folder, is only
   * read. `frozen`: as `read`, and nothing is encoded: what is missing fails the build. Default `readwrite`, and `read`
   * with `remote`. The variable `PIXPRESS_FROZEN=1` means `frozen`.
   */
  mode?: CacheMode | undefined
}

interface CacheOption {
  /** Keeps results between runs, by default in the project's `.cache/pixpress`. `false` keeps them for one run only. */
  cache?: boolean | ProjectCache
}

/** The row of `cache`. */
export const cache: DefaultedOption<CacheOption> = {
  place: 180,
  parser: flagOr(CACHE_SETTINGS),
  default: () => true,
  shownDefault: '`true`',
  doc: "[results between runs](cache.md): `true` is the project's `.cache/pixpress`; `{ dir, maxSize }` another folder; `remote` a bucket or server behind it, `{ service: 's3' | 'http', … }`; `mode` `'readwrite'`, `'read'` or `'frozen'`; `false` keeps results for one run",
  flags: {
    'cache-dir': {
      value: 'DIR',
      description: "where results are kept (default: `.cache/pixpress` of the project, else the user's cache folder)",
    },
    'no-cache': { description: 'keeps no results' },
  },
}
