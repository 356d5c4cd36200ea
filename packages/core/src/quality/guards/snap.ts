import type { Pixels } from '../metric/ssimulacra2.ts'

/** A picture in at most 256 colours. */
export interface Indexed {
  /** One byte per pixel. */
  indices: Uint8Array
  /** RGBA, four bytes per entry. */
  palette: Uint8Array
}

const MOST_ENTRIES = 256

/**
 * Repairs the colours of a palette, without changing which pixel has which entry: where at least half of an entry's pixels
 * had one and the same value in the source, the entry becomes exactly that; else, where more than half were opaque, it
 * becomes opaque. All pixels of alpha 0 count as one value, which is transparent black.
 *
 * Takes one byte per pixel in `indices` and four (RGBA) per entry in `palette`, and returns such a palette, the same
 * array where nothing is to repair.
 */
export function snapPalette(source: Pixels, indices: Uint8Array, palette: Uint8Array): Uint8Array {
  const entries = palette.length / 4
  const candidates = frequentValues(source, indices)
  const counts = new Uint32Array(2 * MOST_ENTRIES)
  const opaque = new Uint32Array(MOST_ENTRIES)
  const pixels = new Uint32Array(MOST_ENTRIES)
  for (let start = 0, end = 0; start < indices.length; start = end) {
    end = runEnd(source, indices, start)
    const length = end - start
    const entry = indices[start]!
    const value = valueAt(source, start)
    pixels[entry]! += length
    if (value >>> 24 === 255) opaque[entry]! += length
    if (candidates[2 * entry] === value) counts[2 * entry]! += length
    else if (candidates[2 * entry + 1] === value) counts[2 * entry + 1]! += length
  }

  const snapped = Uint8Array.from(palette)
  for (let entry = 0; entry < entries; entry++) {
    if (pixels[entry] === 0) continue
    const most = counts[2 * entry + 1]! > counts[2 * entry]! ? 2 * entry + 1 : 2 * entry
    if (2 * counts[most]! >= pixels[entry]!) {
      const value = candidates[most]!
      snapped.set([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24], 4 * entry)
    } else if (2 * opaque[entry]! > pixels[entry]!) {
      snapped[4 * entry + 3] = 255
    }
  }
  return snapped.every((value, at) => value === palette[at]) ? palette : snapped
}

/**
 * Two values per entry, among which is every value that at least half of the entry's pixels have: Misra and Gries' count of
 * frequent values, in which a pixel of a third value cancels one vote of both.
 */
function frequentValues(source: Pixels, indices: Uint8Array): Uint32Array {
  const values = new Uint32Array(2 * MOST_ENTRIES)
  const votes = new Uint32Array(2 * MOST_ENTRIES)
  for (let start = 0, end = 0; start < indices.length; start = end) {
    end = runEnd(source, indices, start)
    const value = valueAt(source, start)
    const first = 2 * indices[start]!
    const second = first + 1
    const length = end - start
    if (votes[first]! > 0 && values[first] === value) votes[first]! += length
    else if (votes[second]! > 0 && values[second] === value) votes[second]! += length
    else {
      const cancelled = Math.min(length, votes[first]!, votes[second]!)
      votes[first]! -= cancelled
      votes[second]! -= cancelled
      if (length === cancelled) continue
      const free = votes[first] === 0 ? first : second
      values[free] = value
      votes[free] = length - cancelled
    }
  }
  return values
}

/** Where the stretch of pixels with one entry and one value that begins at `start` ends; drawings have few of them. */
function runEnd({ data, channels }: Pixels, indices: Uint8Array, start: number): number {
  const entry = indices[start]!
  let at = start * channels
  const red = data[at]!
  const green = data[at + 1]!
  const blue = data[at + 2]!
  let i = start + 1
  if (channels === 3) {
    at += 3
    while (i < indices.length && indices[i] === entry) {
      if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) return i
      i++
      at += 3
    }
    return i
  }
  const alpha = data[at + 3]!
  at += 4
  while (i < indices.length && indices[i] === entry) {
    if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue || data[at + 3] !== alpha) return i
    i++
    at += 4
  }
  return i
}

/** RGBA as 32 bits, red lowest; 0 for all pixels of alpha 0. */
function valueAt({ data, channels }: Pixels, pixel: number): number {
  const at = pixel * channels
  const alpha = channels === 4 ? data[at + 3]! : 255
  return alpha === 0 ? 0 : (data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (alpha << 24)) >>> 0
}

/**
 * Gives pixels that were transparent or opaque, but whose entry is not, entries of their own: all transparent ones one,
 * the opaque ones of an entry one of their most frequent or else mean colour. In a full palette they get the transparent and the
 * nearest opaque entry that there are. For a palette that has been snapped; the same arrays where nothing is wrong.
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
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const entry = indices[pixel]!
    const alpha = alphas[entry]
    const value = valueAt(source, pixel)
    if (value === 0 && alpha !== 0) {
      if (clear < 0 && entries.length < MOST_ENTRIES) clear = entries.push([0, 0, 0, 0]) - 1
      if (clear >= 0) move(pixel, clear)
    } else if (value >>> 24 === 255 && alpha !== 255) {
      const colour = [value & 255, (value >>> 8) & 255, (value >>> 16) & 255] as const
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
  // Entries that were there have been snapped among all of their pixels.
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
