import path from 'node:path'
import type { AdviceEdit, WishPart } from 'unplugin-pixpress/internal'
import type { FileChange } from '../../migrate/project.ts'
import type { AuditFinding, FoundFault, Seen } from '../findings.ts'
import type { ProjectSources } from '../sources.ts'
import type { Visit } from '../visit/facts.ts'
import { placesOf } from './match.ts'
import { findPlaces } from './places.ts'
import type { Place } from './places.ts'
import type { AdvicePlugin } from './plugin.ts'
import { partsWished, wishOf } from './wishes.ts'

/** What to write at one place of the project. */
export interface PlaceAdvice {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly kind: Place['target']['kind']
  /** One clause: `write src="…"`. */
  readonly text: string
  /** Whether `--write` does it. */
  readonly isWritable: boolean
  /** Whether nothing of the finding is left once it is done. */
  readonly isWhole: boolean
}

/** The advice on all findings. */
export interface AdvicePlan {
  readonly byFinding: ReadonlyMap<AuditFinding, readonly PlaceAdvice[]>
  /** What `--write` does, each place once. */
  readonly written: readonly PlaceAdvice[]
  readonly changes: readonly FileChange[]
}

export const NO_ADVICE: AdvicePlan = { byFinding: new Map(), written: [], changes: [] }

interface Facts {
  readonly visits: readonly Visit[]
  readonly sources: ProjectSources
  /** Pixels across, by image. */
  readonly widths: ReadonlyMap<string, number>
}

/** The advice on findings, each read by the parser of its place. Wishes for the same place are one. */
export function planAdvice(found: readonly FoundFault[], plugin: AdvicePlugin, facts: Facts): AdvicePlan {
  const { sources, visits, widths } = facts
  const byImage = new Map<string, Place[]>()
  for (const place of findPlaces(sources, plugin)) {
    byImage.set(place.image, [...(byImage.get(place.image) ?? []), place])
  }
  const wishes = new Map<Place, { seen: Seen[]; findings: Set<AuditFinding> }>()
  for (const { finding, seen } of found) {
    const places = byImage.get(finding.source ?? '') ?? []
    for (const each of seen) {
      if (!canBeMended(each, widths.get(finding.source ?? '') ?? 0)) continue
      for (const place of placesOf(each, places)) {
        const known = wishes.get(place) ?? { seen: [], findings: new Set() }
        wishes.set(place, known)
        known.seen.push(each)
        known.findings.add(finding)
      }
    }
  }
  const byFinding = new Map<AuditFinding, PlaceAdvice[]>()
  const written: PlaceAdvice[] = []
  const edits = new Map<string, AdviceEdit[]>()
  for (const [place, { seen, findings }] of wishes) {
    const wish = wishOf({ place, seen }, visits, widths.get(place.image) ?? Infinity)
    const { file, target } = place
    const text = sources.texts.get(file)!
    const advice = plugin.adviseOn(file, text, target, wish)
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
      const parts = partsWished(seen.filter(({ sighting }) => sighting.kind === finding.kind))
      const isAbout = (each: readonly WishPart[]): boolean => each.some((part) => parts.has(part))
      const given: PlaceAdvice[] = []
      if (common !== false && isFree && isAbout(done)) given.push({ ...common, isWhole: !isAbout(left) })
      if (target.kind === 'public' && (parts.has('widths') || parts.has('format'))) given.push(moveAdvice(place, text))
      byFinding.set(finding, [...(byFinding.get(finding) ?? []), ...given])
    }
  }
  const changes = [...edits].map(([file, each]): FileChange => {
    const before = sources.texts.get(file)!
    return { file, before, after: plugin.withEdits(before, each) }
  })
  return { byFinding, written, changes }
}

/** A fault of too few pixels is mended by writing only where the source has more of them. */
function canBeMended({ sighting, visit }: Seen, most: number): boolean {
  if (sighting.wish === undefined) return false
  if (sighting.kind !== 'upscaled') return true
  return most > (visit.loaded.get(sighting.url)?.header?.width ?? Infinity)
}

const isApart = (a: AdviceEdit, b: AdviceEdit): boolean => a.end <= b.start || b.end <= a.start

/** Nothing is read behind the name of a file that is copied as it is. */
function moveAdvice({ file, image, target }: Place, text: string): PlaceAdvice {
  const { start } = target.urls[0]!
  const [folder = '', before = ''] = /^(.*?)(?:public|static)\//.exec(image) ?? []
  const own = `${before}src/${image.slice(folder.length)}`
  const line = text.slice(0, start).split('\n').length
  const relative = path.posix.relative(path.posix.dirname(file), own)
  const url = relative.startsWith('.') ? relative : `./${relative}`
  const said = `move ${image} to ${own} and write ${url}: no directive is read behind a file of ${folder}`
  return { file, line, kind: 'public', text: said, isWritable: false, isWhole: false }
}
