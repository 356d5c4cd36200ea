import type { Samples } from '../../src/encoding/near-lossless.ts'

/** Parts of a level in which errors are counted. */
const PARTS = 16
const BUSIEST = 16

/**
 * Computes the same as assembly/near-lossless.ts in the plainest way: without tables and row buffers, one pixel after
 * the other.
 */
export function nearLossless({ data, width, height, channels }: Samples, step: number): Uint8Array {
  const colours = channels % 2 === 0 ? channels - 1 : channels
  const at = (x: number, y: number, channel = 0): number => (y * width + x) * channels + channel
  const isClear = (x: number, y: number): boolean => colours < channels && data[at(x, y, colours)] === 0

  const lumaStep = (one: number, other: number): number => {
    const apart = (channel: number): number => Math.abs(data[one + channel]! - data[other + channel]!)
    return colours === 1 ? 256 * apart(0) : 77 * apart(0) + 150 * apart(1) + 29 * apart(2)
  }
  const slope = (x: number, y: number): number => {
    if (isClear(x, y)) return 0
    const left = x > 0 && !isClear(x - 1, y) ? lumaStep(at(x, y), at(x - 1, y)) : 0
    const above = y > 0 && !isClear(x, y - 1) ? lumaStep(at(x, y), at(x, y - 1)) : 0
    return Math.min(255, Math.ceil((left + above) / 32))
  }
  const classOf = (x: number, y: number): number => {
    const columns = [Math.max(0, x - 2), x, Math.min(width - 1, x + 2)]
    const rows = [Math.max(0, y - 2), y, Math.min(height - 1, y + 2)]
    const sum = rows.flatMap((row) => columns.map((column) => slope(column, row))).reduce((a, b) => a + b)
    return sum === 0 ? 0 : Math.min(BUSIEST, Math.max(1, Math.floor(sum / 36)))
  }

  const written = new Uint8Array(data.length)
  const errors = new Map<number, number>()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const group = classOf(x, y)
      const size = Math.fround(group <= 1 ? step / 3 : group <= 8 ? step / 2 : step)
      for (let channel = 0; channel < channels; channel++) {
        const here = at(x, y, channel)
        const left = x > 0 ? written[at(x - 1, y, channel)]! : 0
        const above = y > 0 ? written[at(x, y - 1, channel)]! : 0
        const predicted = (left + above) >> 1
        if (channel === colours) written[here] = data[here]!
        else if (isClear(x, y)) written[here] = predicted
        else if (group === 0) written[here] = data[here]!
        else {
          const wanted = clamp(data[here]! * PARTS + (errors.get(here) ?? 0), 0, 255 * PARTS)
          const value = predicted + multipleOf(size, (wanted - predicted * PARTS) / PARTS, group)
          written[here] = value < 0 || value > 255 ? oneLess(predicted, value, size) : value
          const error = clamp(wanted - written[here]! * PARTS, -24 * PARTS, 24 * PARTS)
          const pass = (dx: number, dy: number, share: number): void => {
            if (x + dx < 0 || x + dx >= width || y + dy >= height) return
            const to = at(x + dx, y + dy, channel)
            errors.set(to, (errors.get(to) ?? 0) + Math.floor((error * share + 16) / 32))
          }
          pass(1, 0, 7)
          pass(-1, 1, 3)
          pass(0, 1, 5)
          pass(1, 1, 1)
        }
      }
    }
  }
  return written
}

/** Rounds to floats of 32 bits, because their rounding decides between two multiples that are equally near. */
const { fround } = Math

const rounded = (count: number, step: number): number => Math.floor(fround(fround(count * step) + 0.5))

function multipleOf(step: number, difference: number, group: number): number {
  const towards = fround(fround(0.5) - Math.min(fround(0.2), fround(group * fround(1 / 80))))
  const count = Math.floor(fround(fround(fround(Math.abs(difference)) / step) + towards))
  return Math.sign(difference) * rounded(count, step)
}

function oneLess(predicted: number, value: number, step: number): number {
  const change = value - predicted
  const count = Math.floor(fround(fround(Math.abs(change) / step) + 0.5)) - 1
  return clamp(predicted + Math.sign(change) * rounded(count, step), 0, 255)
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
