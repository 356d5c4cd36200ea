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

/** One image of the build: a source in one type, size and quality. */
export interface ReportImage {
  /** Path relative to the root, with forward slashes. If several files hold the same bytes, the first path in order. */
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
  /** Width of the result in pixels; 0 for an SVG without a size. */
  readonly width: number
  readonly height: number
  /** `true` if the result came from the cache. */
  readonly cached: boolean
  /** `true` if a fast path made the result to save time. Absent from final results. */
  readonly draft?: true
  /** `input` if no result was smaller: the source is used, without its metadata if that makes it smaller still. */
  readonly kept: 'output' | 'input'
  /** SSIMULACRA2 score of the result, two decimals. Absent if nothing was compared. */
  readonly score?: number
  /**
   * The score that the result was to keep. Absent if nothing was compared, if settings of its encoder were given in
   * place of a promise, or from a report of an older version.
   */
  readonly promise?: number
  /** Remarks for a person, one plain sentence each. */
  readonly notes: readonly string[]
  /** Other files that hold the same bytes and share this result, in order. Absent if there are none. */
  readonly duplicates?: readonly string[]
  /**
   * The reason for which the source's own pixels were kept. Absent if they were not kept, or if the engine gave no
   * reason.
   */
  readonly reason?: KeptReason
  /** The smallest result that a guard refused, if that made the engine keep a lossless result. */
  readonly refused?: RefusedResult
  /**
   * The reason for which the image is not smaller or in another type, with the alternative. Absent if nothing prevented
   * it.
   */
  readonly why?: Why
  /**
   * The computed size and type with `convert: 'auto'`, for browsers that read that type. Absent if it was not computed
   * or is not smaller.
   */
  readonly wouldBe?: Otherwise
  /** The reason for which the image keeps its own type although the options convert, as one plain sentence. */
  readonly typeKept?: string
  /** The result of the tool that pixpress replaces in this project. Absent if it was not measured. */
  readonly baseline?: ReportBaseline
  /**
   * The file that holds the command's result, as a path like `source`; the source itself if it stays. Absent in builds.
   */
  readonly output?: string
  /** `true` if the command wrote `output` in this run. Absent in builds. */
  readonly written?: boolean
  /** Milliseconds from reading to writing in the command, with the wait for a processor. Absent in builds. */
  readonly milliseconds?: number
  /** Object storage address of the result, if the command stored it there. Builds list addresses in their manifest. */
  readonly address?: string
  /** The work of this run on the image. Absent if the result came from the cache or from a service. */
  readonly work?: Work
}

/** A broken image, which the build ships unchanged. */
export interface ReportFailure {
  /** Path relative to the root, with forward slashes. */
  readonly source: string
  /** Error code, which is stable across versions. */
  readonly code: ErrorCode
  /** Error message for a person. */
  readonly message: string
}

/** A raster image of a build's output that pixpress has not worked on. */
export interface ReportUntouched {
  /** Path relative to the root, with forward slashes. */
  readonly file: string
  readonly bytes: number
  /** The query of its reference, which another tool may read. Absent if the reason is not known. */
  readonly query?: string
}

/** Sums over `images`. Broken images count in `failed` only. */
export interface ReportTotals {
  readonly images: number
  /** Number of images that were compressed in this build: `images - cached`. */
  readonly encoded: number
  readonly cached: number
  readonly failed: number
  /** Bytes of all sources; each source counts once. */
  readonly before: number
  /** Bytes of one image per source: its largest result. */
  readonly after: number
  /** Bytes of all images: a source in five widths and types counts five times. */
  readonly made: number
  /** Bytes: `before - after`. Negative if the images have grown. */
  readonly saved: number
  /** `after / before`, four decimals; 1 without images. */
  readonly ratio: number
  /** Milliseconds from the start of the first image to the end of the build. */
  readonly milliseconds: number
}

/** Images that a fast path made to save time. */
export interface ReportDrafts {
  readonly images: number
  /** Estimated bytes that their final results will save. */
  readonly saving: number
}

/** The part of a project that one run with `--shard` works on: part `index` of `count`. */
export interface ReportShard {
  /** A number from 1 to `count`. */
  readonly index: number
  readonly count: number
  /** Number of images of all parts together. */
  readonly of: number
}

/**
 * The report of a build. Equal sources and options give an equal report, except for `cached`, `encoded`, `written`,
 * `work`, `milliseconds`, `remote` and `worth`, which depend on the cache and the machine; the counts in `work` are
 * equal wherever an image is worked on.
 * `version` changes if a field changes its meaning or is removed; new fields may be added at any time.
 */
export interface Report {
  readonly version: 1
  /** Sorted by `source`, then `type`, then `width`. */
  readonly images: readonly ReportImage[]
  /** Sorted by `source`, then `code`. */
  readonly failures: readonly ReportFailure[]
  /** The largest first. Files that the options exclude and originals that are asked for are not among them. */
  readonly untouched?: readonly ReportUntouched[]
  readonly totals: ReportTotals
  /** The part of the images that `--shard` chose. Absent if all images were worked on. */
  readonly shard?: ReportShard
  /** Absent if the report has no drafts. */
  readonly drafts?: ReportDrafts
  /** Sums over the images that have a `baseline`. Absent if no image has one. */
  readonly baseline?: ReportBaselineTotals
  /** Absent if all work was done on this machine. */
  readonly remote?: RemoteUsage
  /** Absent if no image was to be stored. */
  readonly store?: StoreUsage
  /** The one step that would save most, among the steps whose saving is known. Absent if none is known. */
  readonly worth?: Worth
}

/**
 * Describes the result of one source as an image of a report.
 * @param source path relative to the root, with forward slashes
 * @param promise the score that the result was to keep, if there is one
 */
export function reportImage(source: string, result: OptimizeResult, promise?: number): ReportImage {
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
    ...(result.score !== undefined && { score: rounded(result.score, 2), ...(promise !== undefined && { promise }) }),
    ...(result.reason !== undefined && { reason: result.reason }),
    ...(result.refused !== undefined && { refused: result.refused }),
    ...(why !== undefined && { why }),
    notes: result.notes,
    ...(result.work !== undefined && { work: result.work }),
  }
}

/** The services that a run used. */
export interface ReportUsage {
  /** Absent if all work was done on this machine. */
  readonly remote?: RemoteUsage | undefined
  /** Absent if no image was to be stored. */
  readonly store?: StoreUsage | undefined
}

/**
 * Sorts what a run has collected and sums it up.
 * @param images keyed by identity, which decides the order of images that are alike in everything else
 * @param milliseconds duration of the run
 * @param usage the remote engine and the object storage that the run used; absent members were not used
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
  // Sums count one image per source. Otherwise, several results of a source would make it and the outcome look larger.
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
 * Writes the report as JSON. The file is replaced atomically, and a missing folder is created.
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

/** Compares two texts by UTF-16 code units, so that the order is the same in every locale. Returns -1, 0 or 1. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0)

const ratioOf = (before: number, after: number): number => (before === 0 ? 1 : rounded(after / before, 4))

const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals
