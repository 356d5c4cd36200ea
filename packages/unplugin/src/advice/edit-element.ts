import { attributeEdits, renderAttribute, writableAttributes } from './attributes.ts'
import type { WantedAttribute } from './attributes.ts'
import { askFor, isSet } from './queries.ts'
import { attributeOf } from './tags.ts'
import type { AdviceEdit, Target, Wish, WishPart } from './types.ts'
import { splitUrl } from '../references/url.ts'

/** Edits of a place, what they write in short, and what they leave out. */
export interface PlaceEdit {
  readonly edits: readonly AdviceEdit[]
  /** Each as a person would write it: what stands together in one. */
  readonly written: readonly string[]
  readonly done: readonly WishPart[]
  readonly left: readonly WishPart[]
  /** URLs that the parser has to find afterwards. */
  readonly urls: readonly { readonly url: string; readonly isOneUrl: boolean }[]
  /** Attributes that the tag has to have afterwards; `null`: not to have. */
  readonly attributes: Readonly<Record<string, WantedAttribute>>
}

/** The edit of a place in which nothing is changed. */
export const NOTHING: PlaceEdit = { edits: [], written: [], done: [], left: [], urls: [], attributes: {} }

/** The parts of a wish by what became of them. @param made whether each is written: wholly, in part, or not at all */
export function wishPartsOf(
  wish: Wish,
  made: Readonly<Record<WishPart, boolean | 'part'>>,
): Pick<PlaceEdit, 'done' | 'left'> {
  const wished = (['widths', 'sizes', 'format', 'attributes'] as const).filter((part) => wish[part] !== undefined)
  return {
    done: wished.filter((part) => made[part] !== false),
    left: wished.filter((part) => made[part] !== true),
  }
}

/** Gives what becomes of a URL in a page or a component's template, and of the `<img>` around it. */
export function editElement(file: string, text: string, target: Target, wish: Wish): PlaceEdit {
  const { tag } = target
  const url = target.kind === 'public' ? undefined : editUrls(file, target, wish)
  const wanted: Record<string, WantedAttribute> = {
    ...(tag !== undefined && writableAttributes(wish, tag, file)),
    ...url?.attributes,
  }
  const { sizes } = wish
  const hasSet = tag !== undefined && (attributeOf(tag, 'srcset') !== undefined || 'srcset' in wanted)
  if (sizes !== undefined && hasSet) wanted['sizes'] = sizes
  const edits = tag === undefined || Object.keys(wanted).length === 0 ? [] : attributeEdits(tag, wanted, file, text)
  if (edits === undefined) return NOTHING
  const parts = wishPartsOf(wish, {
    widths: url === undefined ? false : url.isOneWidth && (wish.widths?.length ?? 0) > 1 ? 'part' : true,
    // One width needs no `sizes`.
    sizes: hasSet || (url?.isOneWidth === true && wish.widths?.length === 1),
    format: url !== undefined,
    attributes: tag !== undefined,
  })
  return {
    edits: [...(url?.edits ?? []), ...edits],
    written: filled([...(url?.written ?? []), ...writtenAttributes(wanted, file)].join(' ')),
    ...parts,
    urls: url?.urls ?? [],
    attributes: wanted,
  }
}

/** Gives what is written together, unless it is nothing. */
export const filled = (...groups: readonly string[]): string[] => groups.filter((each) => each !== '')

/**
 * Describes attributes that are written to an element, as the text of a person: `alt="…"`, or `no width` for one that
 * is removed.
 */
export const writtenAttributes = (wanted: Readonly<Record<string, WantedAttribute>>, file: string): string[] =>
  Object.entries(wanted).map(([name, value]) =>
    value === null ? `no ${name}` : renderAttribute(name, value, file).replaceAll('&amp;', '&'),
  )

interface UrlEdit {
  readonly edits: readonly AdviceEdit[]
  readonly written: readonly string[]
  readonly urls: PlaceEdit['urls']
  readonly attributes: Readonly<Record<string, WantedAttribute>>
  readonly isOneWidth: boolean
}

function editUrls(file: string, { tag, urls }: Target, { widths, format, sizes }: Wish): UrlEdit | undefined {
  if (widths === undefined && format === undefined) return undefined
  const [first] = urls
  if (first === undefined || urls.some(({ url }) => isSet(url))) return undefined
  const set = urls.filter(({ attribute }) => attribute === 'srcset')
  // Candidates of several files were made by somebody, who makes others.
  const isOneFile = new Set(urls.map(({ url }) => splitUrl(url).path)).size === 1
  const takesSet = tag !== undefined && isOneFile && sizes !== undefined
  if (widths !== undefined && set.length > 0 && !takesSet) return undefined
  const isOneWidth = widths === undefined || widths.length === 1 || !takesSet
  const own = new Map(
    urls.map((each) => [each, askFor(each.url, { widths: set.includes(each) ? undefined : widths, format })]),
  )
  if ([...own.values()].includes(undefined)) return undefined
  if (widths === undefined || (isOneWidth && set.length === 0)) {
    const edits = urls.map((each) => ({ start: each.start, end: each.end, text: each.encode(own.get(each)!) }))
    return {
      edits,
      written: urls.map((each) => `${each.attribute ?? 'the URL'}="${own.get(each)}"`),
      urls: urls.map((each) => ({ url: own.get(each)!, isOneUrl: true })),
      attributes: {},
      isOneWidth,
    }
  }
  const candidates = widths.map((width) => ({
    width,
    url: askFor(splitUrl(first.url).path, { widths: [width], format })!,
  }))
  const sources = urls.filter((each) => !set.includes(each))
  return {
    edits: sources.map((each) => ({ start: each.start, end: each.end, text: each.encode(own.get(each)!) })),
    written: sources.map((each) => `${each.attribute ?? 'src'}="${own.get(each)}"`),
    urls: [...sources.map((each) => own.get(each)!), ...candidates.map(({ url }) => url)].map((url) => ({
      url,
      isOneUrl: true,
    })),
    attributes: { srcset: candidates.map(({ width, url }) => `${url} ${width}w`).join(', ') },
    isOneWidth: false,
  }
}
