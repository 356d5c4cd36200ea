import { attributeEdits, writableAttributes } from './attributes.ts'
import type { WantedAttribute } from './attributes.ts'
import { NOTHING, filled, wishPartsOf, writtenAttributes } from './edit-element.ts'
import type { PlaceEdit } from './edit-element.ts'
import { askFor, isSet, isWideAlready } from './queries.ts'
import { attributeOf } from './tags.ts'
import type { OpeningTag } from './tags.ts'
import type { Target, Wish } from './types.ts'

/**
 * Edits an import, and the one `<img>` that shows it: a second import has its other widths.
 */
export function editImport(file: string, text: string, target: Target, wish: Wish): PlaceEdit {
  const [place] = target.urls
  const { statement, tag } = target
  if (place === undefined || (!place.url.includes('?') && isObject(file, text, statement?.name))) return NOTHING
  const { format, sizes } = wish
  const mayHaveSet =
    tag !== undefined &&
    statement !== undefined &&
    takesSet(place.url, tag) &&
    sizes !== undefined &&
    (wish.widths?.length ?? 0) > 1
  const isInVain = !mayHaveSet && !isSet(place.url) && isWideAlready(place.url, wish)
  const widths = isInVain ? undefined : wish.widths
  const asks = widths !== undefined || format !== undefined
  const isTyped = /\.[cm]?tsx?$/i.test(file) || /<script[^>]*\blang=["']ts/i.test(text)
  // A query that says something else already, or another plugin's.
  const own = askFor(place.url, {
    widths,
    format,
    as: isTyped && asks && !/[?&]as=/.test(place.url) ? 'url' : undefined,
  })
  if (asks && own === undefined) return NOTHING
  const ownText = place.encode(own ?? place.url)
  const set = mayHaveSet ? askFor(place.url.replace(/\?.*$/, ''), { widths, format, as: 'srcset' }) : undefined
  const name = statement === undefined ? '' : freeName(text, `${statement.name}Srcset`)
  const wanted: Record<string, WantedAttribute> = {
    ...(tag !== undefined && writableAttributes(wish, tag, file)),
    ...(set !== undefined && { srcset: { variable: name } }),
  }
  const hasSet = set !== undefined || (tag !== undefined && attributeOf(tag, 'srcset') !== undefined)
  if (sizes !== undefined && hasSet && tag !== undefined) wanted['sizes'] = sizes
  const edits = tag === undefined || Object.keys(wanted).length === 0 ? [] : attributeEdits(tag, wanted, file, text)
  if (edits === undefined) return NOTHING
  const line = statement === undefined ? '' : text.slice(statement.start, statement.end)
  const before = statement === undefined ? 0 : place.start - statement.start
  const changed = line.slice(0, before) + ownText + line.slice(before + place.end - place.start)
  const second = set === undefined ? '' : secondImport(line, name, place.encode(set), before)
  return {
    edits: [
      ...(asks && ownText !== text.slice(place.start, place.end)
        ? [{ start: place.start, end: place.end, text: ownText }]
        : []),
      ...(second === '' ? [] : [{ start: statement!.end, end: statement!.end, text: `\n${second}` }]),
      ...edits,
    ],
    written: filled(
      asks ? (statement === undefined ? own! : changed.trim()) : '',
      second.trim(),
      writtenAttributes(wanted, file).join(' '),
    ),
    ...wishPartsOf(wish, {
      widths: isInVain ? false : (widths?.length ?? 0) === 1 || set !== undefined || isSet(place.url) ? true : 'part',
      sizes: hasSet || widths?.length === 1,
      format: true,
      attributes: tag !== undefined,
    }),
    urls: [
      ...(asks ? [{ url: own!, isOneUrl: false }] : []),
      ...(set === undefined ? [] : [{ url: set, isOneUrl: false }]),
    ],
    attributes: wanted,
  }
}

/** Tells whether an import without a query is an object, as Astro and Next.js make it: with one it is a URL. */
function isObject(file: string, text: string, name: string | undefined): boolean {
  if (/\.astro$/i.test(file) || /(["'])(?:astro:assets|next\/image)\1/.test(text)) return true
  if (name === undefined) return false
  return new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}\??\.(?:src|width|height)\b`).test(
    text,
  )
}

/** A `srcset` that somebody wrote stays theirs. */
const takesSet = (url: string, tag: OpeningTag): boolean =>
  !isSet(url) && ['srcset', ':srcset', 'v-bind:srcset'].every((name) => attributeOf(tag, name) === undefined)

function freeName(text: string, wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}${count}`
    if (!text.includes(name)) return name
  }
}

/** The same statement for another name and URL. @param at of the URL in the statement */
function secondImport(line: string, name: string, url: string, at: number): string {
  const quote = line[at - 1]!
  const [indent = ''] = /^[ \t]*/.exec(line) ?? []
  return `${indent}import ${name} from ${quote}${url}${quote}${line.trimEnd().endsWith(';') ? ';' : ''}`
}
