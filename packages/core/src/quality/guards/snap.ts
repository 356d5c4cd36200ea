import type { Pixels } from '../metric/ssimulacra2.ts'
import { countEntries } from './entries.ts'
import type { EntryCounts } from './entries.ts'

/** A picture in at most 256 colours. */
export interface Indexed {
  /** One byte per pixel. */
  indices: Uint8Array
  /** RGBA, four bytes per entry. */
  palette: Uint8Array
}

const MOST_ENTRIES = 256

/**
 * Repairs the colours of a palette; every pixel keeps its entry. If at least half of an entry's pixels had the same
 * value in the source, the entry gets exactly that value. Otherwise, if more than half were opaque, it becomes opaque.
 * All pixels of alpha 0 count as one value, transparent black.
 *
 * `indices` has one byte per pixel and `palette` four (RGBA) per entry. Returns a palette of the same form, or the same
 * array if nothing needs repair.
 */
export function snapPalette(source: Pixels, indices: Uint8Array, palette: Uint8Array): Uint8Array {
  return snapByCounts(countEntries(source, indices), palette)
}

/**
 * `snapPalette` of a palette that has entries of their own for opaque pixels and for those of alpha 0, and whose pixels
 * were counted: such an entry keeps its alpha, although half of its pixels may be others. A pixel of alpha 254 beside
 * an opaque one made that one translucent, which no promise allows, so that icons ended without a palette.
 */
export function snapSeparated(counted: EntryCounts, palette: Uint8Array): Uint8Array {
  const snapped = Uint8Array.from(snapByCounts(counted, palette))
  for (let at = 3; at < palette.length; at += 4) {
    const alpha = palette[at]!
    const isTaken = alpha === 0 || (alpha === 255 && counted.opaque[(at - 3) / 4]! > 0)
    if (isTaken && snapped[at] !== alpha) snapped.set(palette.subarray(at - 3, at + 1), at - 3)
  }
  return snapped
}

function snapByCounts({ values, counts, opaque, totals }: EntryCounts, palette: Uint8Array): Uint8Array {
  const entries = palette.length / 4
  const snapped = Uint8Array.from(palette)
  for (let entry = 0; entry < entries; entry++) {
    if (totals[entry] === 0) continue
    const most = counts[2 * entry + 1]! > counts[2 * entry]! ? 2 * entry + 1 : 2 * entry
    if (2 * counts[most]! >= totals[entry]!) {
      const value = values[most]!
      snapped.set([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24], 4 * entry)
    } else if (2 * opaque[entry]! > totals[entry]!) {
      snapped[4 * entry + 3] = 255
    }
  }
  return snapped.every((value, at) => value === palette[at]) ? palette : snapped
}

/**
 * Gives pixels that were transparent or opaque, but whose entry is not, entries of their own. All transparent pixels
 * share one entry. The opaque pixels of an entry share one with their most frequent colour, or with the mean if none is
 * frequent enough. In a full palette they get an existing transparent entry or the nearest opaque one. The palette must
 * have been snapped before. Returns the same arrays if nothing is wrong.
 */
export function separateAlpha(source: Pixels, { indices, palette }: Indexed): Indexed {
  const entries = Array.from({ length: palette.length / 4 }, (_, entry) => [
    ...palette.subarray(4 * entry, 4 * entry + 4),
  ])
  const known = entries.length
  const twins = new Map<number, { index: number; sums: [number, number, number]; pixels: number }>()
  const alphas = entries.map(([, , , alpha]) => alpha)
  let clear = entries.findIndex(([, , , alpha]) => alpha === 0)
  let separated: Uint8Array | undefined

  const move = (pixel: number, to: number): void => {
    separated ??= Uint8Array.from(indices)
    separated[pixel] = to
  }
  const { data, channels } = source
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const entry = indices[pixel]!
    const alpha = alphas[entry]
    const wanted = channels === 4 ? data[4 * pixel + 3]! : 255
    if (wanted === alpha) continue
    if (wanted === 0) {
      if (clear < 0 && entries.length < MOST_ENTRIES) clear = entries.push([0, 0, 0, 0]) - 1
      if (clear >= 0) move(pixel, clear)
    } else if (wanted === 255) {
      const at = pixel * channels
      const colour = [data[at]!, data[at + 1]!, data[at + 2]!] as const
      let twin = twins.get(entry)
      if (!twin && entries.length < MOST_ENTRIES) {
        twin = { index: entries.push([...colour, 255]) - 1, sums: [0, 0, 0], pixels: 0 }
        twins.set(entry, twin)
      }
      if (twin) {
        for (const c of [0, 1, 2] as const) twin.sums[c] += colour[c]
        twin.pixels++
        move(pixel, twin.index)
      } else {
        const nearest = nearestOpaque(entries, colour)
        if (nearest !== undefined) move(pixel, nearest)
      }
    }
  }
  if (!separated) return { indices, palette }
  for (const { index, sums, pixels } of twins.values()) {
    entries[index] = [...sums.map((sum) => Math.round(sum / pixels)), 255]
  }
  const means = Uint8Array.from(entries.flat())
  const snapped = Uint8Array.from(snapPalette(source, separated, means))
  // The previous entries keep their values, which `snapPalette` chose from all of their pixels.
  snapped.set(palette.subarray(0, 4 * known))
  return { indices: separated, palette: snapped }
}

function nearestOpaque(entries: readonly (readonly number[])[], colour: readonly number[]): number | undefined {
  let nearest: number | undefined
  let least = Infinity
  entries.forEach((entry, index) => {
    if (entry[3] !== 255) return
    const distance = colour.reduce((sum, value, c) => sum + (value - entry[c]!) ** 2, 0)
    if (distance >= least) return
    least = distance
    nearest = index
  })
  return nearest
}
