import { PixpressError } from '../base/errors.ts'
import type { ErrorCode } from '../base/errors.ts'
import { baselineTotals } from './baseline.ts'
import type { ReportBaseline, ReportBaselineTotals } from './baseline.ts'
import { expectedSaving } from '../drafts/saving.ts'
import type { RemoteUsage } from '../engines/remote/usage.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { InputType, KeptReason, Work } from '../base/types.ts'
import type { StoreUsage } from '../objects/contract.ts'
import { whyOfResult } from './why.ts'
import type { Otherwise, Why } from './why.ts'
import type { Worth } from './worth.ts'
import type { OptimizeResult } from '../optimizer/result.ts'
import type { RefusedResult } from '../work/steps/job.ts'

/**
 * What became of the type of an image that was to be converted: `fallback`, its own type behind others that are `offered`;
 * `alone`, another type that every browser of the project reads; `kept`, its own type and no other.
 */
export type Conversion = 'fallback' | 'offered' | 'alone' | 'kept'

/** One image of the build: a source in one type, size and quality. */
export interface ReportImage {
  /** Path relative to the root, with forward slashes. The first in order when several files hold the same bytes. */
  readonly source: string
  /** MIME type of the result. */
  readonly type: InputType
  /** MIME type of the source, by content. */
  readonly inputType: InputType
  /** Bytes of the source. */
  readonly before: number
  /** Bytes of the result. */
  readonly after: number
  /** `after / before`, four decimals. */
  readonly ratio: number
  /** Pixels of the result. 0 for an SVG without a size. */
  readonly width: number
  readonly height: number
  /** Whether the result came from the cache. */
  readonly cached: boolean
  /** Whether a quick path made it, for want of time; absent for final results. */
  readonly draft?: true
  /** `input` when nothing smaller was found: the source is used, without its metadata where that is smaller still. */
  readonly kept: 'output' | 'input'
  /** SSIMULACRA2 score of the result, two decimals. Absent where nothing was compared. */
  readonly score?: number
  /** Remarks for a person: one plain sentence each. */
  readonly notes: readonly string[]
  /** Other files that hold the same bytes and became the same, in order. Absent where there is none. */
  readonly duplicates?: readonly string[]
  /** Why the source's own pixels were kept; absent where they were not, and where the engine did not say. */
  readonly reason?: KeptReason
  /** The best of what a guard refuses, where the result is without loss because of it. */
  readonly refused?: RefusedResult
  /** Why it is not smaller, or in another type, and what it would be otherwise; absent where nothing kept it from that. */
  readonly why?: Why
  /** What `convert: 'auto'` would deliver to browsers that read it: computed, and absent where nobody has, or nothing is smaller. */
  readonly wouldBe?: Otherwise
  /** Absent without `convert` and a `fallback`. */
  readonly conversion?: Conversion
  /** Why it was `kept` in its own type, one plain sentence. */
  readonly typeKept?: string
  /** What the tool in whose place the image was made would have delivered; absent where nobody asked. */
  readonly baseline?: ReportBaseline
  /** The file that holds the result of the command, written as `source`: the source itself where it stays. Absent in builds. */
  readonly output?: string
  /** Whether the command wrote `output` in this run. Absent in builds. */
  readonly written?: boolean
  /** What the command took for the image, from reading to writing, its wait for a processor included. Absent in builds. */
  readonly milliseconds?: number
  /** Where the command put the result in object storage, if it did; of builds, the manifest tells. */
  readonly address?: string
  /** What was done for it in this run; absent where it came from the cache or a service. */
  readonly work?: Work
}

/** A broken image, which went into the build as it is. */
export interface ReportFailure {
  /** Path relative to the root, with forward slashes. */
  readonly source: string
  /** Stable across versions. */
  readonly code: ErrorCode
  /** For a person. */
  readonly message: string
}

/** Sums over `images`; broken images only count in `failed`. */
export interface ReportTotals {
  readonly images: number
  /** Images that were worked on in this build: `images - cached`. */
  readonly encoded: number
  readonly cached: number
  readonly failed: number
  /** Bytes of every source, each once. */
  readonly before: number
  /** Bytes of one image for each source, the largest that was made of it. */
  readonly after: number
  /** Bytes of all images: of a source in five widths and types, all five. */
  readonly made: number
  /** Bytes: `before - after`. Negative when the images have grown. */
  readonly saved: number
  /** `after / before`, four decimals; 1 without images. */
  readonly ratio: number
  /** From the first image's begin to the end of the build. */
  readonly milliseconds: number
}

/** Images that a quick path made, for want of time. */
export interface ReportDrafts {
  readonly images: number
  /** Bytes that their final results are expected to save: an estimate. */
  readonly saving: number
}

/**
 * What a build did to its images. Equal for equal sources and options, but for `cached`, `encoded`, `written`, `work`,
 * `milliseconds`, `remote` and `worth`, which says what the cache knows; the counts in `work` are equal wherever an image is worked on.
 * `version` changes when a field changes its meaning or goes away; new fields may come at any time.
 */
/** Part `index` of `count`. */
export interface ReportShard {
  /** From 1 to `count`. */
  readonly index: number
  readonly count: number
  /** Images that all parts have together. */
  readonly of: number
}

export interface Report {
  readonly version: 1
  /** By `source`, then `type`, then `width`. */
  readonly images: readonly ReportImage[]
  /** By `source`, then `code`. */
  readonly failures: readonly ReportFailure[]
  readonly totals: ReportTotals
  /** The part of the images that `--shard` chose; absent where all were worked on. */
  readonly shard?: ReportShard
  /** Absent without drafts. */
  readonly drafts?: ReportDrafts
  /** Sums over the images that have a `baseline`; absent where none has. */
  readonly baseline?: ReportBaselineTotals
  /** Absent where everything was done on this machine. */
  readonly remote?: RemoteUsage
  /** Absent where no image was to be stored. */
  readonly store?: StoreUsage
  /** The one step that would save most, of those whose bytes are known; absent where none is. */
  readonly worth?: Worth
}

export function reportImage(source: string, result: OptimizeResult): ReportImage {
  const { info, input } = result
  const why = whyOfResult(result)
  return {
    source,
    type: info.type,
    inputType: input.type,
    before: input.size,
    after: info.size,
    ratio: ratioOf(input.size, info.size),
    width: info.width,
    height: info.height,
    cached: result.cached,
    ...(result.draft && { draft: result.draft }),
    kept: result.kept,
    ...(result.score !== undefined && { score: rounded(result.score, 2) }),
    ...(result.reason !== undefined && { reason: result.reason }),
    ...(result.refused !== undefined && { refused: result.refused }),
    ...(why !== undefined && { why }),
    notes: result.notes,
    ...(result.work !== undefined && { work: result.work }),
  }
}

/** The use of services during a run. */
export interface ReportUsage {
  /** Absent where everything was done on this machine. */
  readonly remote?: RemoteUsage | undefined
  /** Absent where no image was to be stored. */
  readonly store?: StoreUsage | undefined
}

/**
 * Puts what was collected in order and sums it up.
 * @param images by identity, which settles the order of images that are alike in everything else
 * @param usage what was used of a service, and what was done in object storage; absent where there was none
 */
export function createReport(
  images: ReadonlyMap<string, ReportImage>,
  failures: Iterable<ReportFailure>,
  milliseconds: number,
  { remote, store }: ReportUsage = {},
): Report {
  const ordered = [...images]
    .sort(
      ([idA, a], [idB, b]) =>
        compare(a.source, b.source) ||
        compare(a.type, b.type) ||
        a.width - b.width ||
        a.height - b.height ||
        a.after - b.after ||
        compare(idA, idB),
    )
    .map(([, image]) => image)
  const broken = [...failures].sort(
    (a, b) => compare(a.source, b.source) || compare(a.code, b.code) || compare(a.message, b.message),
  )
  const cached = ordered.filter((image) => image.cached).length
  // One image against one source: several of one source must make neither it nor what became of it look larger.
  const largest = new Map<string, ReportImage>()
  for (const image of ordered) {
    if (image.after > (largest.get(image.source)?.after ?? -1)) largest.set(image.source, image)
  }
  const before = sumOf([...largest.values()].map((image) => image.before))
  const after = sumOf([...largest.values()].map((image) => image.after))
  return {
    version: 1,
    images: ordered,
    failures: broken,
    totals: {
      images: ordered.length,
      encoded: ordered.length - cached,
      cached,
      failed: broken.length,
      before,
      after,
      made: sumOf(ordered.map((image) => image.after)),
      saved: before - after,
      ratio: ratioOf(before, after),
      milliseconds: Math.round(milliseconds),
    },
    ...draftsOf(ordered),
    ...baselineTotals(ordered),
    ...(remote !== undefined && { remote }),
    ...(store !== undefined && { store }),
  }
}

function draftsOf(images: readonly ReportImage[]): Pick<Report, 'drafts'> {
  const drafts = images.filter(({ draft }) => draft)
  if (drafts.length === 0) return {}
  const savings = drafts.map(({ type, after }) => expectedSaving({ type, bytes: after }))
  return { drafts: { images: drafts.length, saving: Math.round(sumOf(savings)) } }
}

/**
 * Writes the report whole or not at all; makes the folder where there is none.
 * @throws PixpressError `IO_FAILED`
 */
export async function writeReport(file: string, report: Report): Promise<void> {
  try {
    await replaceFile(file, `${JSON.stringify(report, null, 2)}\n`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('IO_FAILED', `The report could not be written: ${reason}`, { file, cause: error })
  }
}

/** By UTF-16 code units: the same order in every locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0)

const ratioOf = (before: number, after: number): number => (before === 0 ? 1 : rounded(after / before, 4))

const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals
