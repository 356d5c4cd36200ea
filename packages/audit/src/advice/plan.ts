import path from 'node:path'
import { applyEdits } from '@pixpress/migrate/script'
import type { Edit } from '@pixpress/migrate/script'
import type { FileChange } from '@pixpress/migrate'
import type { AuditFinding, FoundFault, Seen } from '../findings/findings.ts'
import type { ProjectSources } from '../sources/sources.ts'
import type { Visit } from '../visit/facts.ts'
import { textBesideDefaults, withoutQuery } from './beside-defaults.ts'
import { elementPlaces } from './elements.ts'
import { faultPlacesOf, isOnPage, isUnread } from './match.ts'
import { findPlaces } from './places.ts'
import type { Place } from './places.ts'
import type { AdvicePlugin, WishPart } from './plugin.ts'
import { partsWished, wishOf } from './wishes.ts'

/** The text to write at one place of the project. */
export interface PlaceAdvice {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly kind: Place['target']['kind']
  /** One clause: `write src="…"`. */
  readonly text: string
  /** True if `--write` does it. */
  readonly isWritable: boolean
  /** True if it mends the whole finding. */
  readonly isWhole: boolean
}

/** The advice on all findings. */
export interface AdvicePlan {
  readonly byFinding: ReadonlyMap<AuditFinding, readonly PlaceAdvice[]>
  /** The changes that `--write` makes, each place once. */
  readonly written: readonly PlaceAdvice[]
  readonly changes: readonly FileChange[]
}

/** The advice where no plugin reads directives. */
export const NO_ADVICE: AdvicePlan = { byFinding: new Map(), written: [], changes: [] }

interface Facts {
  readonly visits: readonly Visit[]
  readonly sources: ProjectSources
  /** Pixels across, by image. */
  readonly widths: ReadonlyMap<string, number>
  /** Images that hold the same bytes as another, which a build delivers as one. */
  readonly twins: ReadonlyMap<string, readonly string[]>
  /** True of the output of a build: servers of development deliver URLs as they are written, and read them. */
  readonly isBuilt: boolean
  /** True if the build may have `defaultDirectives`: what a query says is then not all that it asks for. */
  readonly hasDefaults: boolean
}

/** The faults of a place while findings are collected. */
interface Wishing {
  readonly seen: Seen[]
  readonly vague: Set<Seen>
  readonly findings: Set<AuditFinding>
}

/** The advice on findings, each read by the parser of its place. Wishes for the same place are one. */
export function planAdvice(found: readonly FoundFault[], plugin: AdvicePlugin, facts: Facts): AdvicePlan {
  const { sources, visits, widths } = facts
  const byFinding = new Map<AuditFinding, PlaceAdvice[]>()
  const written: PlaceAdvice[] = []
  const edits = new Map<string, Edit[]>()
  for (const [place, { seen, vague, findings }] of wishedPlaces(found, plugin, facts)) {
    const { wish, isSized } = wishOf(
      { place, seen, vague },
      visits,
      widths.get(place.image) ?? twinWidth(place.image, facts),
    )
    const { file, target } = place
    const text = sources.texts.get(file)!
    const advice = plugin.adviseOn(file, text, target, facts.hasDefaults ? withoutQuery(wish) : wish)
    const besideDefaults = facts.hasDefaults ? textBesideDefaults(place, wish) : undefined
    const taken = edits.get(file) ?? []
    const isFree = advice?.edits.every((edit) => taken.every((other) => isApart(edit, other))) === true
    const { done = [], left = [] } = advice ?? {}
    const isWritable = advice !== undefined && isFree && advice.edits.length > 0
    const common = advice !== undefined && { file, line: advice.line, kind: advice.kind, text: advice.text, isWritable }
    if (isWritable && common !== false) {
      edits.set(file, [...taken, ...advice.edits])
      written.push({ ...common, isWhole: left.length === 0 })
    }
    for (const finding of findings) {
      const own = seen.filter(({ sighting }) => sighting.kind === finding.kind)
      const parts = partsWished(own)
      const isAbout = (each: readonly WishPart[]): boolean => each.some((part) => parts.has(part))
      const isClear =
        (isSized || !parts.has('sizes')) && (!parts.has('attributes') || !own.some((each) => vague.has(each)))
      const given: PlaceAdvice[] = []
      if (common !== false && isFree && isAbout(done)) given.push({ ...common, isWhole: isClear && !isAbout(left) })
      if (besideDefaults !== undefined && (parts.has('widths') || parts.has('format'))) {
        const isWhole = parts.size === 1 && parts.has('format')
        const line = lineOf(target, text)
        given.push({ file, line, kind: target.kind, text: besideDefaults, isWritable: false, isWhole })
      }
      if (target.kind === 'public' && place.isUnread !== true && (parts.has('widths') || parts.has('format')))
        given.push(moveAdvice(place, text))
      byFinding.set(finding, [...(byFinding.get(finding) ?? []), ...given])
    }
  }
  const changes = [...edits].map(([file, each]): FileChange => {
    const before = sources.texts.get(file)!
    return { file, before, after: applyEdits(before, each) }
  })
  return { byFinding, written, changes }
}

/** The places that findings are to be mended at, with what each of them is wished for. */
function wishedPlaces(found: readonly FoundFault[], plugin: AdvicePlugin, facts: Facts): ReadonlyMap<Place, Wishing> {
  const byImage = new Map<string, Place[]>()
  for (const each of findPlaces(facts.sources, plugin)) {
    const place = facts.isBuilt && isUnread(each, facts.visits) ? unread(each) : each
    byImage.set(place.image, [...(byImage.get(place.image) ?? []), place])
  }
  const wishes = new Map<Place, Wishing>()
  const wish = (place: Place, finding: AuditFinding, each: Seen): Wishing => {
    const known = wishes.get(place) ?? { seen: [], vague: new Set(), findings: new Set() }
    wishes.set(place, known)
    known.seen.push(each)
    known.findings.add(finding)
    return known
  }
  const elements = elementPlaces(found, plugin, facts)
  const pages = [...new Set(facts.visits.map(({ page }) => page))]
  for (const { finding, seen } of found) {
    const { source = '' } = finding
    const places = [source, ...(facts.twins.get(source) ?? [])].flatMap((image) => byImage.get(image) ?? [])
    for (const each of seen) {
      if (!canBeMended(each, facts.widths.get(source) ?? 0)) continue
      const { places: own, isTold } = faultPlacesOf(each, places, pages)
      for (const place of own) {
        const known = wish(place, finding, each)
        if (!isTold || own.filter(({ file }) => file === place.file).length > 1) known.vague.add(each)
      }
      const element = own.some(({ target }) => target.tag !== undefined) ? undefined : elements(each)
      if (element !== undefined) wish(element, finding, each)
    }
  }
  for (const [place, { seen, vague }] of wishes) {
    for (const each of seen) if (!isOnEveryPage(each, seen, place, facts.visits)) vague.add(each)
  }
  return wishes
}

/** The place as one that takes attributes alone, as those of a folder do that is copied. */
const unread = (place: Place): Place => ({ ...place, target: { ...place.target, kind: 'public' }, isUnread: true })

/**
 * Returns whether every page that shows the element has the fault. Otherwise a change that mends one page breaks
 * another.
 */
function isOnEveryPage({ sighting }: Seen, seen: readonly Seen[], place: Place, visits: readonly Visit[]): boolean {
  const { element, kind } = sighting
  const faulty = new Set(
    seen
      .filter((each) => each.sighting.kind === kind && each.sighting.element === element)
      .map(({ visit }) => visit.page),
  )
  const showing = visits.filter(
    ({ page, facts }) => isOnPage(place, page) && facts.images.some(({ tag }) => tag === element),
  )
  return showing.every(({ page }) => faulty.has(page))
}

/** Pixels across of an image that holds the same bytes. */
const twinWidth = (image: string, { twins, widths }: Facts): number =>
  (twins.get(image) ?? []).map((each) => widths.get(each)).find((each) => each !== undefined) ?? Infinity

/** A fault of too few pixels is mended by writing only where the source has more of them. */
function canBeMended({ sighting, visit }: Seen, most: number): boolean {
  if (sighting.wish === undefined) return false
  if (sighting.kind !== 'upscaled') return true
  return most > (visit.loaded.get(sighting.url)?.header?.width ?? Infinity)
}

const isApart = (a: Edit, b: Edit): boolean => a.end <= b.start || b.end <= a.start

/** The line of a target's first URL, from 1. */
const lineOf = ({ urls }: Place['target'], text: string): number => text.slice(0, urls[0]!.start).split('\n').length

/** Nothing is read behind the name of a file that is copied as it is. */
function moveAdvice({ file, image, target }: Place, text: string): PlaceAdvice {
  const [folder = '', before = ''] = /^(.*?)(?:public|static)\//.exec(image) ?? []
  const own = `${before}src/${image.slice(folder.length)}`
  const line = lineOf(target, text)
  const relative = path.posix.relative(path.posix.dirname(file), own)
  const url = relative.startsWith('.') ? relative : `./${relative}`
  const said = `move ${image} to ${own} and write ${url}: no directive is read behind a file of ${folder}`
  return { file, line, kind: 'public', text: said, isWritable: false, isWhole: false }
}
