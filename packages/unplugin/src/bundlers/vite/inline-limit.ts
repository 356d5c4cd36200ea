import { readFileSync } from 'node:fs'
import type { ResolvedConfig } from 'vite'
import type { EmittedSources } from './emitted-sources.ts'

type Limit = ResolvedConfig['build']['assetsInlineLimit']

/** Vite's own limit, which also applies where a callback answers nothing. */
const DEFAULT_LIMIT = 4096

/** Vite's answer for a file that no query decides about. */
export function isBelow(limit: Limit, file: string, content: Buffer): boolean {
  const answer = typeof limit === 'function' ? limit(file, content) : undefined
  if (answer != null) return answer
  const bytes = typeof limit === 'function' ? DEFAULT_LIMIT : Number(limit)
  return content.length < bytes && !isGitLfsPointer(content)
}

/**
 * Has Vite ask its limit about the source of an image that it reads from the cache folder: of a stylesheet or page. A
 * query is no way to say it, as Vite 5 does not know `?no-inline`.
 */
export function limitBySources(config: ResolvedConfig, sources: EmittedSources): void {
  const { environments = {} } = config as Partial<ResolvedConfig>
  for (const build of new Set([config, ...Object.values(environments)].map((each) => each.build))) {
    const { assetsInlineLimit: limit } = build
    const bySource = (file: string, content: Buffer): boolean => {
      const source = sources.of(file)
      if (source === undefined) return isBelow(limit, file, content)
      if (source.query.inline === false) return false
      return isBelow(limit, source.file, source.query.hasDirectives ? content : readFileSync(source.file))
    }
    // Plugins that compare sizes with the limit go on to see a number.
    build.assetsInlineLimit =
      typeof limit === 'function' ? bySource : Object.assign(bySource, { valueOf: () => Number(limit) })
  }
}

/** The text that Git LFS leaves in place of a file it has not downloaded. Vite emits it rather than inline it. */
function isGitLfsPointer(bytes: Buffer): boolean {
  return bytes.subarray(0, 34).toString('latin1') === 'version https://git-lfs.github.com'
}
