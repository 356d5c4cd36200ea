import { compare } from '@pixpress/core/report'
import { KIND_NAMES } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { plainPath } from '../site/plain-path.ts'
import type { Visit } from '../visit/facts.ts'

/**
 * The change that mends a fault in the text that refers to the image. Its widths follow from how the image is drawn.
 */
export interface FaultWish {
  /** Other widths, with the `sizes` that choose between them. */
  readonly isSized?: boolean
  /** Another `sizes`. */
  readonly hasSizes?: boolean
  readonly format?: 'webp'
  /** Attributes of the `<img>`; `null` removes one. */
  readonly attributes?: Readonly<Record<string, string | null>>
}

/** An image of the project that a file of its site is made of. */
export interface KnownSource {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** Pixels across; `undefined` where they cannot be read. */
  readonly width: number | undefined
}

/** One thing that is not as it should be, as one visit shows it. */
export interface Sighting {
  readonly kind: Kind
  /** Key of the fault: the same on other pages and in other viewports. */
  readonly subject: string
  readonly url: string
  /** Opening tag of the element, or of what loads the image; absent where it is about the file. */
  readonly element?: string
  /** One plain sentence about the fault, with figures and without the image's name. */
  readonly message: string
  /**
   * One clause that says what to do, or a function that makes it of all visits, and of the source where that is
   * certain. A text that can be written takes its place.
   */
  readonly fix: string | ((visits: readonly Visit[], source?: KnownSource) => string)
  /** The change of the text that mends it, if one does. */
  readonly wish?: FaultWish
  /** About how many bytes too many are loaded. */
  readonly wasted?: number
  /** It is a fault only if every viewport of the page shows it. */
  readonly isFaultEverywhere?: boolean
}

/** One thing that is not as it should be, wherever it was seen. */
export interface AuditFinding {
  readonly kind: Kind
  /** Path of the image on the site; a `data:` URL shortened. */
  readonly image: string
  /** The image of the project that it was made of, where that is certain: relative, with forward slashes. */
  readonly source?: string
  readonly element?: string
  /** Every element that has it, where there are several. */
  readonly elements?: readonly string[]
  readonly message: string
  readonly fix: string
  /** About how many bytes too many are loaded in the viewport where that is most. 0: none, or nobody knows. */
  readonly wasted: number
  /** Bytes of the image, the largest of those that were loaded for it. */
  readonly bytes: number
  /** Pages and viewports that show it. */
  readonly pages: readonly string[]
  readonly viewports: readonly string[]
}

/** A finding with what it was made of. */
export interface FoundFault {
  readonly finding: AuditFinding
  readonly seen: readonly Seen[]
}

/** A fault, and the visit that shows it. */
export interface Seen {
  readonly sighting: Sighting
  readonly visit: Visit
}

/**
 * Merges what the visits show into findings, one for each image and kind of fault. They are in order of wasted bytes;
 * those that save no bytes are last.
 * @param sightingsOf returns the faults of one visit
 * @param sourceOf returns the project's image behind a URL, if that is certain
 */
export function findingsOf(
  visits: readonly Visit[],
  sightingsOf: (visit: Visit) => readonly Sighting[],
  sourceOf: (url: string) => KnownSource | undefined = () => undefined,
): FoundFault[] {
  const faults = new Map<string, Seen[]>()
  for (const visit of visits) {
    for (const sighting of sightingsOf(visit)) {
      const key = `${sighting.kind}\0${sighting.subject}`
      faults.set(key, [...(faults.get(key) ?? []), { sighting, visit }])
    }
  }
  const images = new Map<string, Seen[]>()
  for (const group of faults.values()) {
    const seen = group[0]!.sighting.isFaultEverywhere === true ? everywhere(group, visits) : group
    if (seen.length === 0) continue
    const { kind, url } = worstOf(seen).sighting
    const key = `${kind}\0${sourceOf(url)?.file ?? url}`
    images.set(key, [...(images.get(key) ?? []), ...seen])
  }
  const found = [...images.values()].map((seen): FoundFault => ({ finding: merged(seen, visits, sourceOf), seen }))
  return found.toSorted(({ finding: a }, { finding: b }) => inOrder(a, b))
}

/** No bytes can be won there: it is told last. */
const isNoise = ({ kind }: AuditFinding): boolean => kind === 'upscaled'

const inOrder = (a: AuditFinding, b: AuditFinding): number =>
  Number(isNoise(a)) - Number(isNoise(b)) ||
  b.wasted - a.wasted ||
  b.bytes - a.bytes ||
  KIND_NAMES.indexOf(a.kind) - KIND_NAMES.indexOf(b.kind) ||
  compare(a.image, b.image) ||
  compare(a.element ?? '', b.element ?? '')

const viewportsOf = (visits: readonly Visit[], page: string): number =>
  new Set(visits.filter((each) => each.page === page).map(({ viewport }) => viewport.name)).size

/** Those on pages of which every viewport shows it. */
function everywhere(group: readonly Seen[], visits: readonly Visit[]): readonly Seen[] {
  const own = group.map(({ visit }) => visit)
  return group.filter(({ visit: { page } }) => viewportsOf(own, page) === viewportsOf(visits, page))
}

const worstOf = (seen: readonly Seen[]): Seen =>
  seen.reduce((most, each) => ((each.sighting.wasted ?? 0) > (most.sighting.wasted ?? 0) ? each : most))

function merged(
  seen: readonly Seen[],
  visits: readonly Visit[],
  sourceOf: (url: string) => KnownSource | undefined,
): AuditFinding {
  const { kind, url, element, message, fix, wasted = 0 } = worstOf(seen).sighting
  const source = sourceOf(url)
  const elements = unique(seen.flatMap(({ sighting }) => (sighting.element === undefined ? [] : [sighting.element])))
  return {
    kind,
    image: shownUrl(url),
    ...(source !== undefined && { source: source.file }),
    ...(element !== undefined && { element }),
    ...(elements.length > 1 && { elements }),
    message,
    fix: typeof fix === 'string' ? fix : fix(visits, source),
    wasted: Math.round(wasted),
    bytes: Math.max(...seen.map(({ sighting, visit }) => visit.loaded.get(sighting.url)?.bytes ?? 0)),
    pages: unique(seen.map(({ visit }) => visit.page)),
    viewports: unique(seen.map(({ visit }) => visit.viewport.name)),
  }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]

/** The images that are loaded, each URL once, and the bytes that are wasted, each image once. */
export interface AuditTotals {
  readonly images: number
  readonly bytes: number
  readonly wasted: number
}

/** Adds up the images that came over the network. The worst of several faults of one image counts. */
export function totalsOf(visits: readonly Visit[], findings: readonly AuditFinding[]): AuditTotals {
  const loaded = new Map(
    visits.flatMap(({ loaded: images }) =>
      [...images.values()].flatMap(({ url, bytes }) => (bytes === 0 ? [] : [[url, bytes] as const])),
    ),
  )
  const wasted = new Map<string, number>()
  for (const { source, image, wasted: bytes } of findings) {
    const key = source ?? image
    wasted.set(key, Math.max(bytes, wasted.get(key) ?? 0))
  }
  return { images: loaded.size, bytes: sum(loaded.values()), wasted: sum(wasted.values()) }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, each) => all + each, 0)

/** The path of a URL of this machine, as hosts and ports differ. */
export function shownUrl(url: string): string {
  if (url.startsWith('data:')) return `${url.slice(0, 32)}…`
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' }
  return plainPath(pathname) + search
}
