import { formatOf, isImageType } from '@pixpress/core/internal'
import { findTargets } from './find-targets.ts'
import { isTaken } from './queries.ts'
import type { TargetKind } from './types.ts'
import { splitUrl } from '../references/url.ts'

/** A text to copy, for one kind of place. */
export interface CopyText {
  readonly kind: TargetKind
  /** Where such places are, as they are shown; empty where none is known. */
  readonly places: readonly string[]
  readonly text: string
}

/** An image, and the texts that refer to it. */
export interface CopySubject {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** Directives that are asked for already, without a `?`; may be empty. */
  readonly asked: string
  /** MIME type, and pixels across: 0 where it has no size. */
  readonly type: string
  readonly width: number
  readonly places: readonly { readonly shown: string; readonly text: string }[]
}

/** Folders that bundlers copy as they are. */
const COPIED = /^(?:.*\/)?(?:public|static)\//

/**
 * Gives what can be pasted in place of an image's URL, for each kind of text that refers to it, with the path that
 * stands there; for scripts, pages and stylesheets where nothing is known of any. Texts that the parser of directives
 * would refuse in such a place are left out, and so are files that are copied as they are, behind which nothing is
 * read.
 */
export function copyTexts(subject: CopySubject): CopyText[] {
  const { file, places } = subject
  const name = file.split('/').at(-1)!
  const found = places.flatMap(({ shown, text }) =>
    findTargets(shown, text).flatMap(({ kind, urls }) => {
      const url = urls.find((each) => splitUrl(each.url).path.split('/').at(-1) === encodeName(each.url, name))
      return url === undefined ? [] : [{ kind, shown, path: splitUrl(url.url).path }]
    }),
  )
  if (COPIED.test(file) && found.every(({ path }) => path.startsWith('/'))) return []
  const known =
    found.length > 0
      ? found
      : (['import', 'html', 'css'] as const).map((kind) => ({ kind, shown: '', path: `./${name}` }))
  const copies = new Map<string, CopyText>()
  for (const { kind, shown, path } of known) {
    const text = textFor(kind, path, subject)
    if (text === undefined) continue
    const before = copies.get(text)?.places ?? []
    copies.set(text, { kind, text, places: [...new Set([...before, shown])].filter((each) => each !== '') })
  }
  return [...copies.values()]
}

/** The name as a URL spells it: with percent escapes or without. */
const encodeName = (url: string, name: string): string =>
  splitUrl(url).path.endsWith(encodeURIComponent(name)) ? encodeURIComponent(name) : name

function textFor(kind: TargetKind, path: string, { asked, type, width }: CopySubject): string | undefined {
  const isOneUrl = kind !== 'import'
  if (kind !== 'import' && kind !== 'html' && kind !== 'css') return undefined
  const own = `${path}${asked === '' ? '' : `?${asked}`}`
  const quoted = (url: string): string | undefined => {
    if (!isTaken(url, isOneUrl)) return undefined
    return kind === 'css' ? `url("${url}")` : kind === 'html' ? `src="${url.replaceAll('&', '&amp;')}"` : url
  }
  if (asked !== '' || width === 0 || !isImageType(type)) return quoted(own)
  const widths = [...new Set([width / 4, width / 2, width].map(Math.round))].filter((each) => each > 0)
  const format = formatOf(type)
  if (kind === 'import') {
    return quoted(`${path}?w=${widths.join(';')}&format=${[...new Set(['avif', 'webp', format])].join(';')}&as=picture`)
  }
  if (kind === 'css') return quoted(`${path}?w=${widths.at(-1)}`)
  const candidates = widths.map((each) => ({ each, url: `${path}?w=${each}` }))
  if (!candidates.every(({ url }) => isTaken(url, true))) return undefined
  return `srcset="${candidates.map(({ each, url }) => `${url} ${each}w`).join(', ')}" sizes="100vw"`
}
