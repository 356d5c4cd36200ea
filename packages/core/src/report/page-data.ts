import { EXTENSIONS } from '../base/formats.ts'
import type { InputType } from '../base/types.ts'
import type { ReportChange, ReportChanges } from './changes.ts'
import { baselineSentences } from './baseline.ts'
import { isBroken } from './failures.ts'
import type { DeliveredPage } from '../project/delivered/pages.ts'
import { VIEWPORTS } from '../project/delivered/viewport.ts'
import type { Report, ReportImage } from './json.ts'
import type { PageChange, PageData, PageImage } from './page-shape.ts'
import { isPhotoAsPng } from './photo-as-png.ts'
import { describeWorth } from './end-line.ts'
import { STEPS } from './worth.ts'
import type { Worth } from './worth.ts'
import { describeKind, describeOther, describeWhy, whyOf } from './why.ts'

/** Pictures and links of one image that the page adds to its figures. */
export interface Pictures {
  /** A `data:` URL. */
  readonly thumbnail?: string
  /** URLs of source and result relative to the page. */
  readonly beforeLink?: string
  readonly afterLink?: string
  /** Files of the build that refer to the result, relative to the page. */
  readonly places?: readonly string[]
}

/** Maximum number of pages of the build that the report lists: those that deliver most. */
const MAX_PAGES = 200

/** Data that the page shows in addition to the report. */
export interface Beside {
  /** Pictures in the order of the report's images. */
  readonly pictures?: readonly Pictures[]
  /** Pages of the build, the heaviest first. */
  readonly delivered?: readonly DeliveredPage[]
  /** The comparison with an older report, if one was given. */
  readonly between?: ReportChanges | undefined
}

/** Builds the data of the HTML page from a report. */
export function pageData(report: Report, { pictures = [], delivered = [], between }: Beside = {}): PageData {
  const { images, cached, failed, before, after, made, milliseconds } = report.totals
  return {
    totals: { images, cached, failed, before, after, made, milliseconds },
    images: report.images.map((image, at) => pageImage(image, pictures[at])),
    ...(report.worth !== undefined && { worth: describeWorth(report.worth), step: stepOf(report.worth) }),
    failures: report.failures.map((failure) => ({ ...failure, isBroken: isBroken(failure) })),
    phases: phasesOf(report.images),
    ...(delivered.length > 0 && {
      delivered: {
        viewports: VIEWPORTS,
        pages: delivered.slice(0, MAX_PAGES),
        more: Math.max(0, delivered.length - MAX_PAGES),
      },
    }),
    ...(report.baseline !== undefined && { baseline: baselineSentences(report) }),
    ...(between !== undefined && { changes: pageChanges(between) }),
  }
}

/** A report of a newer version may name steps that this version does not know. */
function stepOf({ step, setting, saves, images }: Worth): NonNullable<PageData['step']> {
  return { setting, reader: STEPS[step]?.reader ?? 'person', saves, images }
}

function pageImage(image: ReportImage, pictures: Pictures = {}): PageImage {
  const { source, type, inputType, before, after, width, height, cached, score, promise, typeKept } = image
  const { kept, duplicates, address, baseline } = image
  const milliseconds = image.milliseconds ?? image.work?.milliseconds.total
  // A report of an older version has no `why`, only the members that it is made from.
  const known = image.why ?? whyOf(image)
  const why =
    known === undefined ? (kept === 'input' ? 'Nothing smaller was found.' : undefined) : describeWhy(known, after)
  const notes = [...image.notes, ...(typeKept === undefined ? [] : [typeKept])].filter((note) => note !== why)
  return {
    source,
    type: shortType(type),
    inputType: shortType(inputType),
    before,
    after,
    width,
    height,
    cached,
    notes,
    ...(score !== undefined && { score }),
    ...(promise !== undefined && { promise }),
    ...(image.wouldBe !== undefined && {
      wouldBe: describeOther(image.wouldBe),
      other: { type: shortType(image.wouldBe.type), size: image.wouldBe.bytes },
    }),
    ...(why !== undefined && { why, kind: known === undefined ? why : describeKind(known) }),
    ...(duplicates !== undefined && { duplicates }),
    ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    ...(isPhotoAsPng({ type, bytes: after, width, height }) && { isPhotoAsPng: true }),
    ...(address !== undefined && { address }),
    ...(baseline !== undefined && { baseline: { ...baseline, type: shortType(baseline.type) } }),
    ...pictures,
  }
}

/** Returns the extension of a type. A report of a newer version may have types that this version does not know. */
const shortType = (type: InputType): string => EXTENSIONS[type] ?? type

function pageChanges({ changes, unchanged, ...sums }: ReportChanges): NonNullable<PageData['changes']> {
  return { list: changes.map(pageChange), unchanged, old: sums.old, new: sums.new }
}

function pageChange({ source, old, new: made }: ReportChange): PageChange {
  const { type, width } = (made ?? old)!
  return {
    source,
    type: shortType(type),
    width,
    state: stateOf(old, made),
    ...(old !== undefined && { old: old.after }),
    ...(made !== undefined && { new: made.after }),
    ...(old?.score !== undefined && { oldScore: old.score }),
    ...(made?.score !== undefined && { newScore: made.score }),
  }
}

function stateOf(old: ReportImage | undefined, made: ReportImage | undefined): PageChange['state'] {
  if (old === undefined) return 'added'
  if (made === undefined) return 'removed'
  return made.after < old.after ? 'smaller' : made.after > old.after ? 'larger' : 'changed'
}

/** Sums the time of each phase in milliseconds, like the profile in the terminal. Phases of 0 ms are left out. */
function phasesOf(images: readonly ReportImage[]): [string, number][] {
  const sums = new Map<string, number>()
  const add = (name: string, time: number): void => void sums.set(name, (sums.get(name) ?? 0) + time)
  for (const { work } of images) {
    if (work === undefined) continue
    const { total, wait: _, encode, ...phases } = work.milliseconds
    let known = 0
    for (const [name, time] of Object.entries(phases)) {
      add(name, time)
      known += time
    }
    for (const [type, time] of Object.entries(encode) as [InputType, number][]) {
      add(`encode ${shortType(type)}`, time)
      known += time
    }
    add('other', Math.max(0, total - known))
  }
  return [...sums]
    .map(([name, time]): [string, number] => [name, Math.round(time)])
    .filter(([, time]) => time > 0)
    .sort((a, b) => b[1] - a[1])
}
