import type { InputType } from '../base/types.ts'
import { formatBytes, formatChange } from './units.ts'
import { visibleText } from '../base/visible-text.ts'

/** The result of another tool for the same request, made with that tool's own encoder. */
export interface ReportBaseline {
  /** Name of the tool: `Astro`. */
  readonly tool: string
  /** MIME type. */
  readonly type: InputType
  /** Bytes. */
  readonly size: number
  /** SSIMULACRA2 score of that result, two decimals. Absent if no score can be computed, for example for animations. */
  readonly score?: number
  /** `true` if that result keeps the promise of the image, score and guards alike. Absent if `score` is absent. */
  readonly keepsPromise?: boolean
}

/** Sums over the images that have a baseline. */
export interface ReportBaselineTotals {
  /** Names of the tools, in order. */
  readonly tools: readonly string[]
  readonly images: number
  /** Bytes of the sources, each once. */
  readonly before: number
  /** Bytes that the tools would have delivered. */
  readonly size: number
  /** Bytes of the images as they are delivered. */
  readonly after: number
  /** Images that are larger than a baseline that keeps the promise as well: faults. */
  readonly larger: number
  /** Images whose baseline does not keep the promise. */
  readonly belowPromise: number
}

/** Tolerance of the comparison: a search stops within 2% of the smallest size, so a result may be that much larger. */
const TOLERANCE = 1.02

/** Maximum number of faults that the terminal names. */
const MOST_NAMED = 5

/** The members of a report's image that the comparison reads. */
interface Image {
  readonly source: string
  readonly width: number
  readonly before: number
  readonly after: number
  readonly baseline?: ReportBaseline
}

type Compared = Image & { readonly baseline: ReportBaseline }

const isCompared = (image: Image): image is Compared => image.baseline !== undefined

/** Returns `true` if an image is larger than its baseline although the baseline keeps the promise too. */
export const isLargerThanBaseline = ({ after, baseline }: Image): boolean =>
  baseline?.keepsPromise === true && after > baseline.size * TOLERANCE

/** Returns the member `baseline` of a report, or an empty object if no image has a baseline. */
export function baselineTotals(images: readonly Image[]): { readonly baseline?: ReportBaselineTotals } {
  const compared = images.filter(isCompared)
  if (compared.length === 0) return {}
  const sources = new Map(compared.map(({ source, before }) => [source, before]))
  return {
    baseline: {
      tools: [...new Set(compared.map(({ baseline }) => baseline.tool))].sort(),
      images: compared.length,
      before: sumOf([...sources.values()]),
      size: sumOf(compared.map(({ baseline }) => baseline.size)),
      after: sumOf(compared.map(({ after }) => after)),
      larger: compared.filter(isLargerThanBaseline).length,
      belowPromise: compared.filter(({ baseline }) => baseline.keepsPromise === false).length,
    },
  }
}

/**
 * Compares the images with those that the project would have delivered without pixpress. Returns sentences, or an empty
 * list if the report has no baseline.
 */
export function baselineSentences({
  images,
  baseline,
}: {
  readonly images: readonly Image[]
  readonly baseline?: ReportBaselineTotals
}): string[] {
  if (baseline === undefined) return []
  const { images: count, size, after, belowPromise } = baseline
  const tool = baseline.tools.join(' and ')
  const these = count === 1 ? 'this image' : `these ${count} images`
  const sum = `${tool} would have written ${formatBytes(size)} for ${these}, pixpress ${formatBytes(after)} (${formatChange(size, after)}).`
  const below =
    belowPromise === 0
      ? ''
      : ` ${belowPromise} of those that ${tool} writes ${belowPromise === 1 ? 'is' : 'are'} below the promise.`
  return [sum + below, ...faults(images)]
}

function faults(images: readonly Image[]): string[] {
  const larger = images.filter(isCompared).filter(isLargerThanBaseline)
  if (larger.length === 0) return []
  const named = larger
    .toSorted((a, b) => b.after - b.baseline.size - (a.after - a.baseline.size))
    .slice(0, MOST_NAMED)
    .map(
      ({ source, width, after, baseline }) =>
        `${source} ${width}w ${formatBytes(after)} (${formatBytes(baseline.size)})`,
    )
  const more = larger.length > MOST_NAMED ? ` and ${larger.length - MOST_NAMED} more` : ''
  const tools = [...new Set(larger.map(({ baseline }) => baseline.tool))].sort().join(' and ')
  const subject = larger.length === 1 ? '1 image is' : `${larger.length} images are`
  return [
    visibleText(
      `${subject} larger than what ${tools} writes, which keeps the promise as well: ${named.join(', ')}${more}. Please report it.`,
    ),
  ]
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0)
