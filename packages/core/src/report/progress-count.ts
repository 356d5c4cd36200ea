import { createTimeLeft } from './time-left.ts'
import { formatBytes, formatRemaining } from './units.ts'

/** All that there is to do, where that is known beforehand. */
export interface ProgressTotal {
  readonly images: number
  /** Of the sources. */
  readonly bytes: number
  /** How much work each of them is, next to others, by identity. Default: by what has begun. */
  readonly weights?: ReadonlyMap<string, number>
}

/** An image that is waited for. */
interface WaitingImage {
  /** File name without folders. */
  readonly name: string
  /** Size of the source in bytes. */
  readonly bytes: number
  /** How much work it is, next to others. */
  readonly weight: number
}

/** The counts behind the line of progress. */
export interface ProgressCount {
  /** No image is waited for. */
  readonly isIdle: boolean
  /** The name of the image that has been waited for the longest. */
  readonly current: string | undefined
  /** Counts anew, towards this total. */
  expect(total: ProgressTotal): void
  /** Repeats of an identity count once. */
  begin(id: string, image: WaitingImage): void
  end(id: string): void
  /** Counts anew, but for images that are still waited for. */
  startOver(): void
  /** Returns the figures in so many columns: on a narrow terminal the bytes give way, then the time. */
  figuresWithin(width: number): string
}

/** The gap between two parts of the line. */
export const GAP = '  '

/** Counts images that have begun and ended, their bytes, and the time that is left. */
export function createProgressCount(): ProgressCount {
  /** By identity, longest waited for first. */
  const waiting = new Map<string, WaitingImage>()
  const done = new Set<string>()
  let bytesDone = 0
  /** Bytes of the images that are waited for. */
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
