import { compare } from '@pixpress/core/report'
import { KIND_NAMES } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { Visit } from './visit/facts.ts'

/** One thing that is not as it should be, as one visit shows it. */
export interface Sighting {
  readonly kind: Kind
  /** What it is about: the same for the same fault on other pages and in other viewports. */
  readonly subject: string
  readonly url: string
  /** Opening tag of the element, or of what loads the image; absent where it is about the file. */
  readonly element?: string
  /** What is wrong, with figures: one plain sentence without the image's name. */
  readonly message: string
  /** What to write: one plain sentence, or what makes it of all visits. */
  readonly fix: string | ((visits: readonly Visit[]) => string)
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
  readonly element?: string
  readonly message: string
  readonly fix: string
  /** About how many bytes too many are loaded in the viewport where that is most. 0: none, or nobody knows. */
  readonly wasted: number
  /** Pages and viewports that show it. */
  readonly pages: readonly string[]
  readonly viewports: readonly string[]
}

/** @param sightingsOf what one visit shows */
export function findingsOf(
  visits: readonly Visit[],
  sightingsOf: (visit: Visit) => readonly Sighting[],
): AuditFinding[] {
  const groups = new Map<string, { sighting: Sighting; visit: Visit }[]>()
  for (const visit of visits) {
    for (const sighting of sightingsOf(visit)) {
      const key = `${sighting.kind}\0${sighting.subject}`
      groups.set(key, [...(groups.get(key) ?? []), { sighting, visit }])
    }
  }
  const findings = [...groups.values()].flatMap((group) => {
    const seen = group[0]!.sighting.isFaultEverywhere === true ? everywhere(group, visits) : group
    return seen.length === 0 ? [] : [merged(seen, visits)]
  })
  return findings.toSorted(
    (a, b) =>
      KIND_NAMES.indexOf(a.kind) - KIND_NAMES.indexOf(b.kind) ||
      b.wasted - a.wasted ||
      compare(a.image, b.image) ||
      compare(a.element ?? '', b.element ?? ''),
  )
}

type Seen = { readonly sighting: Sighting; readonly visit: Visit }

const viewportsOf = (visits: readonly Visit[], page: string): number =>
  new Set(visits.filter((each) => each.page === page).map(({ viewport }) => viewport.name)).size

/** Those on pages of which every viewport shows it. */
function everywhere(group: readonly Seen[], visits: readonly Visit[]): readonly Seen[] {
  const own = group.map(({ visit }) => visit)
  return group.filter(({ visit: { page } }) => viewportsOf(own, page) === viewportsOf(visits, page))
}

function merged(seen: readonly Seen[], visits: readonly Visit[]): AuditFinding {
  const worst = seen.reduce((most, each) => ((each.sighting.wasted ?? 0) > (most.sighting.wasted ?? 0) ? each : most))
  const { kind, url, element, message, fix, wasted = 0 } = worst.sighting
  return {
    kind,
    image: shownUrl(url),
    ...(element !== undefined && { element }),
    message,
    fix: typeof fix === 'string' ? fix : fix(visits),
    wasted: Math.round(wasted),
    pages: unique(seen.map(({ visit }) => visit.page)),
    viewports: unique(seen.map(({ visit }) => visit.viewport.name)),
  }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]

/** The path of a URL of this machine, as hosts and ports differ. */
export function shownUrl(url: string): string {
  if (url.startsWith('data:')) return `${url.slice(0, 32)}…`
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' }
  return decodedOr(pathname) + search
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
