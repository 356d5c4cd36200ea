import type { InputType } from '../base/types.ts'
import { formatBytes, formatChange } from './units.ts'
import { visibleText } from '../base/visible-text.ts'

/** What another tool would have delivered for the same request, made with that tool's own encoder. */
export interface ReportBaseline {
  /** Name of the tool: `Astro`. */
  readonly tool: string
  /** MIME type. */
  readonly type: InputType
  /** Bytes. */
  readonly size: number
  /** SSIMULACRA2 score of what its encoder has lost, two decimals. Absent where it cannot be compared, as animations cannot. */
  readonly score?: number
  /** Whether it keeps the promise that the image was made for, by score and guards. Absent as `score` is. */
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

/** Share of its bytes by which an image may be larger than its baseline: searches end that far from the least. */
const TOLERANCE = 1.02

/** Faults that are named in the terminal. */
const MOST_NAMED = 5

/** What is looked at of an image of a report. */
interface Image {
  readonly source: string
  readonly width: number
  readonly before: number
  readonly after: number
  readonly baseline?: ReportBaseline
}

type Compared = Image & { readonly baseline: ReportBaseline }

const isCompared = (image: Image): image is Compared => image.baseline !== undefined

/** Whether an image is larger than its baseline, although that keeps the promise as well. */
export const isLargerThanBaseline = ({ after, baseline }: Image): boolean =>
  baseline?.keepsPromise === true && after > baseline.size * TOLERANCE

/** @returns `baseline` of a report; nothing where no image has one */
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

/** How the images compare with what would have been delivered without pixpress, as sentences; none where that was not measured. */
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
