import { createTimeLeft } from './time-left.ts'
import { formatBytes, formatRemaining } from './units.ts'

/** The work that is known beforehand. */
export interface ProgressTotal {
  readonly images: number
  /** Bytes of all sources. */
  readonly bytes: number
  /**
   * Weight of each image, relative to the others, keyed by identity. Default: the weights of images that have begun.
   */
  readonly weights?: ReadonlyMap<string, number>
}

/** An image that has begun and not ended. */
interface WaitingImage {
  /** File name without folders. */
  readonly name: string
  /** Size of the source in bytes. */
  readonly bytes: number
  /** Amount of work, relative to the other images. */
  readonly weight: number
}

/** Counts for the progress line. */
export interface ProgressCount {
  /** `true` if no image is waited for. */
  readonly isIdle: boolean
  /** Name of the image that has been waited for longest; `undefined` if none is. */
  readonly current: string | undefined
  /** Starts again from 0, towards this total. */
  expect(total: ProgressTotal): void
  /** Counts an image as begun. A repeated identity counts once. */
  begin(id: string, image: WaitingImage): void
  end(id: string): void
  /** Starts again from 0, except for images that have begun and not ended. */
  startOver(): void
  /**
   * Returns the figures in at most `width` columns. A narrow terminal shows no bytes, and a narrower one no time
   * either.
   */
  figuresWithin(width: number): string
}

/** Gap between two parts of the line. */
export const GAP = '  '

/** Creates a counter of images that have begun and ended, of their bytes, and of the time that is left. */
export function createProgressCount(): ProgressCount {
  /** Images that have begun and not ended, keyed by identity. The one that began first comes first. */
  const waiting = new Map<string, WaitingImage>()
  const done = new Set<string>()
  let bytesDone = 0
  /** Bytes of these images. */
  let bytesWaiting = 0
  let expected: ProgressTotal | undefined
  const left = createTimeLeft()

  function startOver(): void {
    done.clear()
    bytesDone = 0
    left.startOver()
    expected = undefined
  }

  return {
    get isIdle() {
      return waiting.size === 0
    },
    get current() {
      const [current] = waiting.values()
      return current?.name
    },
    expect(total) {
      startOver()
      left.startOver(total.weights ?? total.bytes)
      expected = total
    },
    begin(id, image) {
      if (done.has(id) || waiting.has(id)) return
      waiting.set(id, image)
      left.begin(id, image.weight)
      bytesWaiting += image.bytes
    },
    end(id) {
      const ended = waiting.get(id)
      if (ended === undefined) return
      waiting.delete(id)
      bytesWaiting -= ended.bytes
      done.add(id)
      bytesDone += ended.bytes
      left.end(id)
    },
    startOver,
    figuresWithin(width) {
      const all = Math.max(expected?.images ?? 0, done.size + waiting.size)
      const allBytes = Math.max(expected?.bytes ?? 0, bytesDone + bytesWaiting)
      const images = `pixpress  ${done.size}/${all} images`
      const bytes = `${formatBytes(bytesDone)} of ${formatBytes(allBytes)}`
      const time = left.estimate()
      const shownTime = time === undefined ? [] : [`${formatRemaining(time)} left`]
      const choices = [[images, bytes, ...shownTime], [images, ...shownTime], [images]].map((parts) => parts.join(GAP))
      return choices.find((text) => text.length <= width) ?? images
    },
  }
}
