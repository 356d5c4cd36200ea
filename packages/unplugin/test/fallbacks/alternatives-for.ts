import type { FileAlternatives, Size } from '../../src/fallbacks/alternatives.ts'

/** Describes what a page or stylesheet was told of, and why it took nothing. */
export interface Noted {
  readonly taken: string[]
  readonly refused: Map<string, string>
}

const isOurs = (url: string): boolean => !url.startsWith('other') && !url.startsWith('data:')

/**
 * FileAlternatives for URLs such as `a.png`: `a.avif` and `a.webp`.
 * @param types by URL, where they are others; none for `[]`. A URL that begins with `other` is no image of ours
 * @param sizes by URL; none of the others may be told
 */
export function alternativesFor(
  types: Readonly<Record<string, readonly string[]>> = {},
  sizes: Readonly<Record<string, Size>> = {},
): FileAlternatives & Noted {
  const taken: string[] = []
  const refused = new Map<string, string>()
  return {
    taken,
    refused,
    size: (url) => Promise.resolve(sizes[url]),
    has: (url) => Promise.resolve(isOurs(url)),
    find(url) {
      const known = types[url] ?? ['image/avif', 'image/webp']
      if (!isOurs(url) || known.length === 0) return Promise.resolve(undefined)
      return Promise.resolve({
        own: { url, type: url.endsWith('.jpg') ? 'image/jpeg' : 'image/png' },
        types: known,
        isTaken: taken.includes(url),
        take(wanted) {
          taken.push(url)
          return Promise.resolve(
            wanted.map((type) => ({ type, url: url.replace(/\.\w+$/, `.${type.slice('image/'.length)}`) })),
          )
        },
      })
    },
    refuse(url, reason) {
      if (isOurs(url)) refused.set(url, reason)
      return Promise.resolve()
    },
  }
}
