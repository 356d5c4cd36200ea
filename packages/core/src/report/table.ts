import { createRequire } from 'node:module'
import type Picocolors from 'picocolors'
import { EXTENSIONS } from '../base/formats.ts'
import { baselineSentences } from './baseline.ts'
import { failureLines } from './failures.ts'
import type { Report, ReportImage, ReportTotals } from './json.ts'
import { refusals } from './refusals.ts'
import { remoteParts, storeParts } from './usage.ts'
import type { TableStyle } from './terminal.ts'
import { aligned } from './rows.ts'
import type { Row } from './rows.ts'
import { textWidth, wrapText } from './text-width.ts'
import { formatBytes, formatChange, formatDuration } from './units.ts'
import { visibleText } from '../base/visible-text.ts'
import { describeOther, describeWhy, whyOf } from './why.ts'

/** Maximum number of rows in the table, unless all are asked for. */
const MAX_ROWS = 40

const INDENT = '  '
const GAP = '  '

type Colors = ReturnType<typeof Picocolors.createColors>

/**
 * Renders the report as text for a person, without a line break at the end. A build that found everything in the cache
 * gets a summary of one or two lines.
 * @param hint a sentence about the run as a whole, which is printed below the table
 */
export function renderReport(report: Report, style: TableStyle, hint?: string): string {
  // An import would have Node look through the module for its names: it is not written in ESM.
  const picocolors = createRequire(import.meta.url)('picocolors') as typeof Picocolors
  const colors = picocolors.createColors(style.color)
  const lines: string[] = []
  if (report.totals.images > 0) {
    lines.push(...(isSummarised(report, style) ? summary(report.totals, style, colors) : table(report, style, colors)))
    for (const line of [...drafts(report), ...baselineSentences(report)])
      lines.push(...wrapText(line, style.width - INDENT.length).map((text) => colors.dim(INDENT + text)))
  }
  if (report.remote !== undefined) lines.push(...heading(remoteParts(report.remote), style.width, colors.dim))
  if (report.store !== undefined) lines.push(...heading(storeParts(report.store), style.width, colors.dim))
  if (report.failures.length > 0) lines.push(...failureLines(report.failures, style, colors))
  if (hint !== undefined)
    lines.push(...wrapText(visibleText(hint), style.width - INDENT.length).map((line) => colors.dim(INDENT + line)))
  return lines.join('\n')
}

/** Tells whether a report has one line for all images, with the total, in place of a table. */
export function isSummarised({ images, totals }: Report, { full = false }: Partial<TableStyle>): boolean {
  // Files that were replaced are listed even if their results came from the cache.
  return totals.encoded === 0 && !images.some(({ written }) => written === true) && !full
}

function summary(totals: ReportTotals, { width }: TableStyle, colors: Colors): string[] {
  const { images, before, after, milliseconds } = totals
  const sizes = `${formatBytes(before)} → ${formatBytes(after)}`
  const parts = [`${counted(images, 'image')}, all cached`, sizes, formatChange(before, after)]
  return heading([...parts, formatDuration(milliseconds)], width, colors.bold)
}

function table({ images, totals }: Report, style: TableStyle, colors: Colors): string[] {
  // Sources with several widths or types: their rows are neighbours in the report.
  const several = new Set(images.map(({ source }) => source).filter((source, at) => source === images[at - 1]?.source))
  // A width that all of them have tells no rows apart.
  const widthOf = new Map(images.map(({ source, width }) => [source, width]))
  const scaled = new Set(images.flatMap(({ source, width }) => (width === widthOf.get(source) ? [] : [source])))
  const entries = style.full ? images.map((image) => entryOf([image])) : together(images)
  // The images come sorted by path, and a stable sort keeps the order of equal savings.
  const ordered = entries.toSorted((a, b) => savedBy(b) - savedBy(a))
  const shown = style.full ? ordered : ordered.slice(0, MAX_ROWS)
  const rows = shown.map(({ image, widths, isCached }): Row => ({
    path: visibleText(image.source),
    label: scaled.has(image.source) ? ` ${widths}` : '',
    type: EXTENSIONS[image.type],
    ...sizesOf(image),
    state: isCached ? 'cached' : '',
  }))
  const lines = aligned(rows, style, colors)
  const body = style.full ? lines.flatMap((line, at) => [line, ...reasonOf(ordered[at]!.image).flatMap(nested)]) : lines
  const hidden = ordered.slice(shown.length).reduce((sum, { count }) => sum + count, 0)
  const parts = [counted(totals.images, 'image'), ...(totals.cached > 0 ? [`${totals.cached} cached`] : [])]
  return [
    ...heading([...parts, formatDuration(totals.milliseconds)], style.width, colors.bold),
    ...body,
    ...(hidden > 0 ? [colors.dim(`${INDENT}… and ${hidden} more`)] : []),
    ...(several.size > 0
      ? wrapped(`the total counts each source once, at its largest; all images take ${formatBytes(totals.made)}`)
      : []),
    ...[...secondLoss(images, style), ...refusals(images)].flatMap(wrapped),
  ]

  function wrapped(text: string): string[] {
    return indented(text, INDENT)
  }

  function nested(text: string): string[] {
    return indented(text, INDENT + INDENT)
  }

  function indented(text: string, indent: string): string[] {
    return wrapText(visibleText(text), style.width - indent.length).map((line) => colors.dim(indent + line))
  }
}

/** The images of a row: one, or those of one source and type in several widths, of which the largest stands for all. */
interface Entry {
  readonly image: ReportImage
  readonly count: number
  readonly widths: string
  readonly isCached: boolean
}

const savedBy = ({ image }: Entry): number => image.before - image.after

/** Puts the widths of one source and type together, unless two have one width: then they are different pictures. */
function together(images: readonly ReportImage[]): Entry[] {
  const groups = new Map<string, ReportImage[]>()
  for (const image of images) {
    const key = `${image.source} ${image.type}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [image])
    else group.push(image)
  }
  return [...groups.values()].flatMap((group) =>
    new Set(group.map(({ width }) => width)).size === group.length
      ? [entryOf(group)]
      : group.map((each) => entryOf([each])),
  )
}

function entryOf(images: readonly ReportImage[]): Entry {
  const byWidth = images.toSorted((a, b) => a.width - b.width)
  const [smallest, largest] = [byWidth[0]!, byWidth.at(-1)!]
  const range = smallest.width === largest.width ? `${largest.width}w` : `${smallest.width}-${largest.width}w`
  return { image: largest, count: images.length, widths: range, isCached: images.every(({ cached }) => cached) }
}

/** Says how much the final results of drafts would save; an empty list if there are no drafts. */
function drafts({ drafts: made, totals }: Report): string[] {
  if (made === undefined) return []
  const percent = Math.round((100 * made.saving) / Math.max(1, totals.made))
  const saving = percent < 1 ? 'less than 1 %' : `about ${percent} %`
  return [
    `${counted(totals.images, 'image')}, ${counted(made.images, 'draft')}: refining saves ${saving} more (npx pixpress refine)`,
  ]
}

/** Gives the reason for an image's size and type, and the alternative, in the words that all reports share. */
function reasonOf(image: ReportImage): string[] {
  const why = image.why ?? whyOf(image)
  const { wouldBe } = image
  return [
    ...(why === undefined ? [] : [describeWhy(why, image.after)]),
    ...(wouldBe === undefined ? [] : [`With convert: 'auto' it ${describeOther(wouldBe)}.`]),
  ]
}

/** Maximum number of images that a sentence names. */
const MOST_NAMED = 3

/**
 * Names images that stay larger because their pixels were compressed before. A person who has the originals can save
 * more.
 */
function secondLoss(images: readonly ReportImage[], { fullBy = 'PIXPRESS_REPORT=full' }: TableStyle): string[] {
  const kept = images.filter(({ reason }) => reason === 'second-loss')
  const names = [...new Set(kept.sort((a, b) => b.after - a.after).map(({ source }) => source))]
  if (names.length === 0) return []
  const [subject, whose] =
    names.length === 1 ? ['1 image keeps its', 'its original'] : [`${names.length} images keep their`, 'the originals']
  const more = names.length - MOST_NAMED
  const named = names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more (${fullBy} lists them)` : '')
  return [
    `${subject} pixels although a new encoding would probably be smaller: each one loses detail again. Compressing ${whose} saves more: ${named}.`,
  ]
}

const sizesOf = ({ before, after }: { before: number; after: number }): Pick<Row, 'before' | 'after' | 'change'> => ({
  before: formatBytes(before),
  after: formatBytes(after),
  change: formatChange(before, after),
})

/** Formats `pixpress` and the parts on as many lines as needed. The first line is emphasized. */
function heading(parts: readonly string[], width: number, emphasis: (text: string) => string): string[] {
  const lines: string[] = []
  let line = 'pixpress'
  for (const part of parts) {
    if (textWidth(line + GAP + part) <= width) {
      line += GAP + part
      continue
    }
    lines.push(line)
    line = INDENT + part
  }
  return [...lines, line].map((text) => emphasis(text))
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
