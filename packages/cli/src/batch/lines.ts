import type { BatchStatus, Estimate, RecordSummary } from '@pixpress/batch'
import { formatBytes, formatChange } from '@pixpress/core/report'

/** Prices of a batch. */
export interface Prices {
  /** An hour of one processor. */
  readonly price: number
  /** A thousand `PUT`, and a thousand `GET`. */
  readonly writes: number
  readonly reads: number
}

/** Requests that a batch sends to buckets. */
export interface BatchRequests {
  readonly writes: number
  readonly reads: number
}

const amount = (count: number): string => count.toLocaleString('en-GB')

/** Returns a line such as `12,000 of 100,000 images, 1.2 of 10.1 GB read, 12 min left`. */
export function progressLine({ images, bytes, millisecondsLeft: left, listed }: BatchStatus): string {
  if (listed === undefined) return 'listing the images'
  const time = left === undefined ? [] : [`${hours(left)} left`]
  const read = bytes.all === 0 ? [] : [`${formatBytes(bytes.done)} of ${formatBytes(bytes.all)} read`]
  return [`${amount(images.done)} of ${amount(images.all)} images`, ...read, ...time].join(', ')
}

/** Returns what became of a batch so far: `3 of 3 images done: 12.0 kB → 4.1 kB (-66%), 1 failed`. */
export function outcomeText({ images, bytes }: Pick<BatchStatus, 'images' | 'bytes'>): string {
  const { all, done, failed, changed, gone, present } = images
  const sizes = `${formatBytes(bytes.before)} → ${formatBytes(bytes.after)} (${formatChange(bytes.before, bytes.after)})`
  const others = [
    ...(present > 0 ? [`${amount(present)} were there already`] : []),
    ...(failed > 0 ? [`${amount(failed)} failed`] : []),
    ...(changed > 0 ? [`${amount(changed)} changed since they were listed`] : []),
    ...(gone > 0 ? [`${amount(gone)} are gone since they were listed`] : []),
  ]
  return [`${amount(done)} of ${amount(all)} images done: ${sizes}`, ...others].join(', ')
}

/** Returns a line about a chunk that is done. */
export function chunkLine({ chunk, images, encoded, failed, before, after }: RecordSummary): string {
  const sizes = `${formatBytes(before)} → ${formatBytes(after)}`
  const problems = failed === 0 ? '' : `, ${amount(failed)} failed`
  return `chunk ${chunk.slice(0, 8)}: ${amount(images)} images, ${amount(encoded)} encoded, ${sizes}${problems}`
}

/** Returns what a batch would send to buckets. @param isBucket for the source and for the destination */
export function requestsOf(images: number, chunk: number, isBucket: { from: boolean; to: boolean }): BatchRequests {
  const chunks = Math.ceil(images / chunk)
  // A listing is charged like a write, for each thousand keys; a chunk has a list and a record.
  const writes = (isBucket.to ? images + 2 * chunks : 0) + (isBucket.from ? Math.ceil(images / 1000) : 0)
  return { writes, reads: (isBucket.from ? images : 0) + (isBucket.to ? 2 * chunks : 0) }
}

/** Returns the money for processors and for requests. */
export function batchCost({ hours: time }: Estimate, requests: BatchRequests, prices: Prices): [number, number] {
  return [time * prices.price, (requests.writes * prices.writes + requests.reads * prices.reads) / 1000]
}

/** Returns the lines of an estimate. */
export function estimateText(estimate: Estimate, requests: BatchRequests, prices: Prices): string {
  const { images, bytes, sample, failed, before, after, seconds } = estimate
  const [processors, forRequests] = batchCost(estimate, requests, prices)
  const size = bytes === 0 ? '' : `, ${formatBytes(bytes)}`
  const problems = failed === 0 ? '' : `, ${amount(failed)} failed`
  return [
    `${amount(images)} images${size}`,
    `sample of ${amount(sample)}: ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)})${problems}, ${seconds.toFixed(1)} s of processor time`,
    `all: ${estimate.hours.toFixed(2)} hours of one processor like this one, ${amount(requests.writes)} PUT and ${amount(requests.reads)} GET`,
    `money: ${(processors + forRequests).toFixed(2)} (processors ${processors.toFixed(2)}, requests ${forRequests.toFixed(2)})`,
    '',
  ].join('\n')
}

/** Formats a time of minutes to days. */
function hours(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  if (minutes < 2) return `${Math.ceil(milliseconds / 1000)} s`
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} hours`
}
