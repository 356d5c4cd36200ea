/** Chooses the colours of the palette for all frames, and the frames with one of their own. */

/** The colours that a frame needs, by number. */
export type Needed = ReadonlySet<number>

const MOST = 256

/** A palette: numbers of colours in order, and the place of each. */
export interface Palette {
  readonly numbers: readonly number[]
  readonly places: ReadonlyMap<number, number>
}

/** Returns the smallest power of two with so many entries, at least 2 entries, as bits. */
export const bitsFor = (entries: number): number => 32 - Math.clz32(Math.max(2, entries) - 1)

/** Makes a palette of numbers of colours, in their order. */
export function paletteOf(numbers: readonly number[]): Palette {
  return { numbers, places: new Map(numbers.map((number, place) => [number, place])) }
}

/**
 * Returns the palette that all frames share which fit into it: those first that the most frames need, so that frames of
 * few colours have small indices.
 */
export function sharedPalette(frames: readonly Needed[]): Palette {
  let best = new Set<number>()
  let fewest = Infinity
  for (const start of startsOf(frames)) {
    const shared = joined(frames, start)
    const own = frames.filter((needed) => !isCovered(needed, shared))
    const bytes = own.reduce((sum, { size }) => sum + (3 << bitsFor(size)), 3 << bitsFor(shared.size))
    if (bytes < fewest) [best, fewest] = [shared, bytes]
  }
  const uses = new Map<number, number>()
  for (const needed of frames) {
    if (isCovered(needed, best)) for (const number of needed) uses.set(number, (uses.get(number) ?? 0) + 1)
  }
  return paletteOf([...best].sort((one, other) => uses.get(other)! - uses.get(one)! || one - other))
}

/** Frames whose colours are tried as the beginning: more were not worth their time. */
const STARTS = 8

function startsOf(frames: readonly Needed[]): number[] {
  const step = Math.max(1, Math.floor(frames.length / STARTS))
  return frames.map((_, index) => index).filter((index) => index % step === 0)
}

function joined(frames: readonly Needed[], start: number): Set<number> {
  const shared = new Set(frames[start])
  for (const needed of frames) {
    const added = [...needed].filter((number) => !shared.has(number))
    if (shared.size + added.length <= MOST) for (const number of added) shared.add(number)
  }
  return shared
}

/** Tells whether a palette has every colour that a frame needs. */
export const isCovered = (needed: Needed, shared: { has(number: number): boolean }): boolean => {
  for (const number of needed) if (!shared.has(number)) return false
  return true
}
