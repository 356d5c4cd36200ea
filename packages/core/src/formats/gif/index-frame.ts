/** A frame's pixels as indices into a palette, where those that do not change may be transparent as well. */
import { CLEAR } from './canvas.ts'
import type { Difference } from './difference.ts'
import type { Choices } from './lzw-encode.ts'
import { bitsFor, paletteOf } from './palettes.ts'
import type { Needed, Palette } from './palettes.ts'
import { DISPOSAL } from './read.ts'

/** GIF has no smaller indices, and no larger. */
const FEWEST_BITS = 2
const MOST_BITS = 8

/** Ways to write one frame with one palette. */
export interface IndexedFrame {
  readonly ways: readonly Choices[]
  /** The index that leaves the canvas as it is; `undefined` where none is left for it. */
  readonly transparent: number | undefined
}

/** The demands of a frame's pixels on a palette. */
export interface Census {
  /** Colours of pixels that change. */
  readonly needed: Needed
  /** The number of pixels of each colour that may stay as they are. */
  readonly unchanged: ReadonlyMap<number, number>
  /** Some pixels are clear, which only a transparent index leaves so. */
  readonly hasClear: boolean
  /** The area becomes clear: some readers fill it with a colour where no index is transparent. */
  readonly isRemoved: boolean
}

/** @param colours how many there are, at most */
export function takeCensus(difference: Difference, stride: number, colours: number): Census {
  const { left, top, width, height, before, after } = difference
  const changing = new Uint32Array(colours + 1)
  const staying = new Uint32Array(colours + 1)
  for (let y = top; y < top + height; y++) {
    const end = y * stride + left + width
    for (let at = y * stride + left; at < end; at++) {
      const number = after[at]!
      if (number === before[at]) staying[number]!++
      else changing[number]!++
    }
  }
  const needed = new Set<number>()
  const unchanged = new Map<number, number>()
  for (let number = CLEAR + 1; number <= colours; number++) {
    if (changing[number] !== 0) needed.add(number)
    if (staying[number] !== 0) unchanged.set(number, staying[number]!)
  }
  return { needed, unchanged, hasClear: staying[CLEAR] !== 0, isRemoved: difference.disposal === DISPOSAL.background }
}

/** Makes a palette of a frame's own: the colours it needs, and others that occur where that takes no more bytes. */
export function ownPalette({ needed, unchanged, hasClear, isRemoved }: Census): Palette {
  const isTransparent = hasClear || isRemoved || unchanged.size > 0
  const room = Math.min(256, 1 << bitsFor(needed.size + (isTransparent ? 1 : 0))) - (isTransparent ? 1 : 0)
  const others = [...unchanged.keys()].filter((number) => !needed.has(number))
  others.sort((one, other) => unchanged.get(other)! - unchanged.get(one)! || one - other)
  return paletteOf([...needed, ...others.slice(0, Math.max(0, room - needed.size))])
}

/**
 * Indexes the pixels of a frame; `undefined` where the palette does not hold what the frame needs, or no index is left
 * for what is clear.
 */
export function indexFrame(
  difference: Difference,
  stride: number,
  census: Census,
  palette: Palette,
): IndexedFrame | undefined {
  const { places } = palette
  const { needed, unchanged, hasClear } = census
  let highest = 0
  for (const number of needed) {
    const place = places.get(number)
    if (place === undefined) return undefined
    highest = Math.max(highest, place)
  }
  const { transparent, minimum } = transparentFor(census, palette, Math.max(FEWEST_BITS, bitsFor(highest + 1)))
  const shown = shownPlaces(palette, transparent, minimum)
  const isWhole = !hasClear && [...unchanged.keys()].every((number) => shown.has(number))
  if (transparent === undefined && !isWhole) return undefined
  return { ways: waysOf({ difference, stride, shown, transparent, isWhole }, minimum), transparent }
}

/** Returns the places of colours that indices of so many bits reach. */
function shownPlaces({ numbers }: Palette, transparent: number | undefined, minimum: number): Map<number, number> {
  const shown = new Map<number, number>()
  for (const [place, number] of numbers.slice(0, 1 << minimum).entries()) {
    if (place !== transparent) shown.set(number, place)
  }
  return shown
}

interface Indexing {
  readonly difference: Difference
  readonly stride: number
  readonly shown: ReadonlyMap<number, number>
  readonly transparent: number | undefined
  /** Every pixel can have its own colour. */
  readonly isWhole: boolean
}

/**
 * Returns the choices that are tried: every pixel may be either; each that may be transparent is; pixels are as in the
 * source; and none is transparent.
 */
function waysOf({ difference, stride, shown, transparent, isWhole }: Indexing, minimum: number): Choices[] {
  const { left, top, width, height, before, after, stored } = difference
  const places = new Uint8Array(65_536).fill(transparent ?? 0)
  for (const [number, place] of shown) places[number] = place
  const size = width * height
  const own = new Uint8Array(size)
  const clear = new Uint8Array(size)
  const kept = new Uint8Array(size)
  let isFree = false
  let to = 0
  for (let y = 0; y < height; y++) {
    const row = (top + y) * stride + left
    const storedRow = (top + y - stored.top) * stored.width + left - stored.left
    const isStored = top + y >= stored.top && top + y < stored.top + stored.height
    const [from, end] = [stored.left - left, stored.left - left + stored.width]
    for (let x = 0; x < width; x++, to++) {
      const number = after[row + x]!
      const place = places[number]!
      own[to] = place
      if (number !== before[row + x]) {
        clear[to] = place
        kept[to] = place
        continue
      }
      isFree ||= place !== transparent
      clear[to] = transparent ?? place
      kept[to] = isStored && x >= from && x < end && stored.mask[storedRow + x] === 1 ? place : clear[to]!
    }
  }
  if (!isFree) return [{ first: clear, second: clear, minimum }]
  const isNew = Buffer.compare(kept, clear) !== 0 && Buffer.compare(kept, own) !== 0
  const plain = [clear, ...(isNew ? [kept] : []), ...(isWhole ? [own] : [])]
  const ways = plain.map((indices) => ({ first: indices, second: indices, minimum }))
  return [{ first: clear, second: own, minimum }, ...ways]
}

/** Chooses the index whose own colour is missed least, among those that the frame does not need. */
function transparentFor(
  { needed, unchanged, hasClear, isRemoved }: Census,
  { numbers }: Palette,
  bits: number,
): { transparent: number | undefined; minimum: number } {
  if (!hasClear && !isRemoved && unchanged.size === 0) return { transparent: undefined, minimum: bits }
  for (let minimum = bits; minimum <= MOST_BITS; minimum++) {
    let transparent: number | undefined
    let missed = Infinity
    for (let place = 0; place < 1 << minimum; place++) {
      const number = numbers[place]
      if (number !== undefined && needed.has(number)) continue
      const count = number === undefined ? 0 : (unchanged.get(number) ?? 0)
      if (count < missed) [transparent, missed] = [place, count]
    }
    if (transparent !== undefined) return { transparent, minimum }
  }
  return { transparent: undefined, minimum: bits }
}
