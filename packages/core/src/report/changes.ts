import { EXTENSIONS } from '../base/formats.ts'
import { compare } from './json.ts'
import { isBroken } from './failures.ts'
import type { Report, ReportFailure, ReportImage } from './json.ts'
import { padLeft, padRight, shortenMiddle, textWidth } from './text-width.ts'
import type { TableStyle } from './terminal.ts'
import { formatBytes, formatChange } from './units.ts'
import { visibleText } from '../base/visible-text.ts'

/** An image that differs between two reports: it is in one of them only, or its type or size has changed. */
export interface ReportChange {
  readonly source: string
  readonly old?: ReportImage
  readonly new?: ReportImage
}

/** The differences between two reports of one project. */
export interface ReportChanges {
  /** Sorted by `source`, then type, then width. */
  readonly changes: readonly ReportChange[]
  /** Number of images that are equal in both reports. */
  readonly unchanged: number
  /** Bytes of all images of the older and the newer report. */
  readonly old: number
  readonly new: number
  /** Sources that are broken in the newer report only, and sources that are broken in the older report only. */
  readonly broken: readonly string[]
  readonly mended: readonly string[]
  /** The same of whole sources that failed for another reason: a conversion that needs a background, say. */
  readonly failing: readonly string[]
  readonly passing: readonly string[]
}

/** Maximum number of rows in the list, unless all are asked for. */
const MAX_ROWS = 40

/**
 * Keys that pair the images of both reports, in the order in which they are tried. The second finds images whose type
 * has changed.
 */
const IDENTITIES: readonly ((image: ReportImage) => string)[] = [
  ({ source, type, width, height }) => JSON.stringify([source, type, width, height]),
  ({ source, width, height }) => JSON.stringify([source, width, height]),
]

/** Pairs the images of two reports and returns the differences. */
export function compareReports(older: Report, newer: Report): ReportChanges {
  let [left, right] = [older.images, newer.images]
  const pairs: [ReportImage, ReportImage][] = []
  for (const identity of IDENTITIES) {
    const waiting = new Map<string, ReportImage[]>()
    for (const image of left) waiting.set(identity(image), [...(waiting.get(identity(image)) ?? []), image])
    right = right.filter((image) => {
      const found = waiting.get(identity(image))?.shift()
      if (found !== undefined) pairs.push([found, image])
      return found === undefined
    })
    left = [...waiting.values()].flat()
  }
  const differing = pairs.filter(([a, b]) => a.after !== b.after || a.type !== b.type)
  const changes: ReportChange[] = [
    ...differing.map(([a, b]) => ({ source: b.source, old: a, new: b })),
    ...left.map((image) => ({ source: image.source, old: image })),
    ...right.map((image) => ({ source: image.source, new: image })),
  ]
  const shown = (change: ReportChange): ReportImage => (change.new ?? change.old)!
  changes.sort(
    (a, b) => compare(a.source, b.source) || compare(shown(a).type, shown(b).type) || shown(a).width - shown(b).width,
  )
  return {
    changes,
    unchanged: pairs.length - differing.length,
    old: bytesOf(older),
    new: bytesOf(newer),
    broken: failuresOnlyIn(newer, older, isBroken),
    mended: failuresOnlyIn(older, newer, isBroken),
    failing: failuresOnlyIn(newer, older, isWhole),
    passing: failuresOnlyIn(older, newer, isWhole),
  }
}

/**
 * Renders the differences as text for a person, without a line break at the end. The largest changes come first.
 * @param style `full` shows every image
 */
export function renderChanges(between: ReportChanges, { width, full }: TableStyle): string {
  const { changes, unchanged, broken, mended, failing, passing } = between
  const count = (word: string, test: (change: ReportChange) => boolean): string[] => {
    const found = changes.filter(test).length
    return found === 0 ? [] : [`${found} ${word}`]
  }
  const head = [
    'pixpress',
    ...count('changed', (each) => each.old !== undefined && each.new !== undefined),
    ...count('added', (each) => each.old === undefined),
    ...count('removed', (each) => each.new === undefined),
    `${unchanged} unchanged`,
  ].join('  ')
  const ordered = [...changes].sort((a, b) => weight(b) - weight(a))
  const shown = full ? ordered : ordered.slice(0, MAX_ROWS)
  const rows = shown.map((each) => ({ name: nameOf(each), figures: figuresOf(each) }))
  const figuresWidth = Math.max(0, ...rows.map(({ figures }) => textWidth(figures)))
  const room = Math.max(8, width - figuresWidth - 4)
  const nameWidth = Math.min(room, Math.max(0, ...rows.map(({ name }) => textWidth(name))))
  return [
    head,
    ...rows.map(({ name, figures }) => `  ${padRight(shortenMiddle(name, nameWidth), nameWidth)}  ${figures}`),
    ...(shown.length < ordered.length ? [`  … and ${ordered.length - shown.length} more`] : []),
    `  all images  ${formatBytes(between.old)} → ${formatBytes(between.new)}  ${formatChange(between.old, between.new)}`,
    ...broken.map((source) => `  broken now: ${visibleText(source)}`),
    ...mended.map((source) => `  no longer broken: ${visibleText(source)}`),
    ...failing.map((source) => `  failing now: ${visibleText(source)}`),
    ...passing.map((source) => `  no longer failing: ${visibleText(source)}`),
  ].join('\n')
}

/** Size of a change in bytes, whether it adds or removes them. */
const weight = (each: ReportChange): number => Math.abs((each.new?.after ?? 0) - (each.old?.after ?? 0))

function nameOf({ source, ...images }: ReportChange): string {
  const { width } = (images.new ?? images.old)!
  return visibleText(`${source}${width > 0 ? ` ${width}w` : ''}`)
}

function figuresOf({ old, new: made }: ReportChange): string {
  if (old === undefined) return `${EXTENSIONS[made!.type]}  ${padLeft(formatBytes(made!.after), 8)}  added`
  if (made === undefined) return `${EXTENSIONS[old.type]}  ${padLeft(formatBytes(old.after), 8)}  removed`
  const type = old.type === made.type ? EXTENSIONS[made.type] : `${EXTENSIONS[old.type]} → ${EXTENSIONS[made.type]}`
  const scores =
    old.score === undefined || made.score === undefined
      ? ''
      : `  score ${old.score.toFixed(1)} → ${made.score.toFixed(1)}`
  const change = formatChange(old.after, made.after)
  return `${type}  ${padLeft(formatBytes(old.after), 8)} → ${padLeft(formatBytes(made.after), 8)}  ${change}${scores}`
}

const bytesOf = ({ images }: Report): number => images.reduce((sum, { after }) => sum + after, 0)

const isWhole = (failure: ReportFailure): boolean => !isBroken(failure)

/** The sources of failures of one kind that the other report has not. */
function failuresOnlyIn(report: Report, other: Report, isOfKind: (failure: ReportFailure) => boolean): string[] {
  const known = new Set(other.failures.filter(isOfKind).map(({ source }) => source))
  return [...new Set(report.failures.filter(isOfKind).map(({ source }) => source))].filter((each) => !known.has(each))
}
