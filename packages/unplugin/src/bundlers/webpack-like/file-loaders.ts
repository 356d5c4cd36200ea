/**
 * Loaders of webpack 4 that turn bytes into a module which names them after the source: what they are given must be the
 * image already, and the image in its own type, unless a directive asks for another.
 */
export const FILE_LOADER: RegExp = /(?:^|[\\/])(?:file|url)-loader(?:[\\/?]|$)/

/** The one of them that makes `data:` URLs of small images. */
export const URL_LOADER: RegExp = /[\\/]url-loader[\\/]/

/** A loader of one module, as it runs: its options are for this module alone. */
export interface RunningLoader {
  readonly path: string
  options?: unknown
  query?: string
}

/** Has url-loader emit a file where the source has more bytes than its limit. */
export function keepAsFile(loader: RunningLoader, bytes: number): void {
  const { options, query = '' } = loader
  if (typeof options === 'object' && options !== null) {
    const { limit } = options as { limit?: unknown }
    if (Number(limit) < bytes && typeof limit !== 'boolean') loader.options = { ...options, limit: false }
    return
  }
  const limit = new URLSearchParams(query).get('limit')
  if (limit !== null && Number(limit) < bytes) loader.query = `${query}&limit=false`
}

interface UseItem {
  readonly loader?: unknown
  readonly options?: unknown
}

/**
 * Copies of rules that have another loader run before each file-loader and url-loader. (Loaders of one rule run from
 * the last to the first.)
 */
export function withLoaderBefore<Rule>(rules: readonly Rule[], before: UseItem): Rule[] {
  return rules.map((rule) => {
    if (typeof rule !== 'object' || rule === null) return rule
    const copy: Record<string, unknown> = { ...(rule as object) }
    for (const key of ['rules', 'oneOf'] as const) {
      if (Array.isArray(copy[key])) copy[key] = withLoaderBefore(copy[key] as unknown[], before)
    }
    if (isFileLoader(copy)) {
      const { loader, options, ...rest } = copy
      return { ...rest, use: [{ loader, ...(options !== undefined && { options }) }, before] } as Rule
    }
    if (copy.use !== undefined) copy.use = listWithLoader(copy.use, before)
    return copy as Rule
  })
}

function listWithLoader(use: unknown, before: UseItem): unknown {
  if (typeof use === 'function') {
    return (...data: unknown[]): unknown => listWithLoader((use as (...data: unknown[]) => unknown)(...data), before)
  }
  const list: unknown[] = Array.isArray(use) ? use : [use]
  return list.some(isFileLoader) ? list.flatMap((item) => (isFileLoader(item) ? [item, before] : [item])) : use
}

function isFileLoader(item: unknown): boolean {
  const loader = typeof item === 'object' && item !== null ? (item as UseItem).loader : item
  return typeof loader === 'string' && FILE_LOADER.test(loader)
}
