/**
 * The directories of a TIFF file, without pixels. Sources: TIFF 6.0 section 2; Adobe Photoshop TIFF Technical Notes;
 * BigTIFF (libtiff); DNG 1.7, `DNGVersion`.
 */
import { uint16, uint32 } from '../../metadata/bytes.ts'

/** Tags that decide how the pixels are stored. */
export const TIFF_TAG = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  photometric: 262,
  orientation: 274,
  samples: 277,
  sampleFormat: 339,
  dngVersion: 50_706,
} as const

/** Pages that are counted; more are more than anybody looks at. */
const MOST_PAGES = 10_000

/** Bytes of one value by its type. Types of other sizes hold no numbers that are looked at. */
const SIZES: Readonly<Record<number, 1 | 2 | 4 | 8>> = { 1: 1, 3: 2, 4: 4, 16: 8 }

/** Values of tags that are looked at: a TIFF has as many numbers of bits as channels. */
const MOST_VALUES = 8

/** The first directory of a file, and how many there are. */
export interface TiffDirectory {
  /** The first values of a tag; empty if it is missing or holds no whole numbers. */
  values(tag: number): readonly number[]
  /** Tells whether a tag is there, whatever it holds. */
  has(tag: number): boolean
  readonly pages: number
}

/** Reads the first directory; `undefined` where there is none. Never throws: bytes beyond the end are 0. */
export function readDirectory(source: Uint8Array): TiffDirectory | undefined {
  const little = source[0] === 0x49
  const isBig = uint16(source, 2, little) === 43
  const short = (at: number): number => uint16(source, at, little)
  const long = (at: number): number => uint32(source, at, little)
  const huge = (at: number): number => (little ? long(at) + long(at + 4) * 2 ** 32 : long(at) * 2 ** 32 + long(at + 4))
  const offset = isBig ? huge : long
  const [head, entrySize, inEntry] = isBig ? [8, 20, 8] : [2, 12, 4]
  const countAt = (at: number): number => (isBig ? huge(at) : short(at))
  const isThere = (at: number): boolean => at >= 8 && at + head <= source.length && countAt(at) > 0
  const first = offset(isBig ? 8 : 4)
  if (!isThere(first)) return undefined

  const places = new Map<number, number>()
  const end = Math.min(first + head + countAt(first) * entrySize, source.length)
  for (let at = first + head; at + entrySize <= end; at += entrySize)
    if (!places.has(short(at))) places.set(short(at), at)

  const values = (tag: number): readonly number[] => {
    const at = places.get(tag)
    const size = at === undefined ? undefined : SIZES[short(at + 2)]
    if (at === undefined || size === undefined) return []
    const count = Math.min(isBig ? huge(at + 4) : long(at + 4), MOST_VALUES)
    const inline = at + entrySize - inEntry
    const start = count * size <= inEntry ? inline : offset(inline)
    const read = { 1: (place: number): number => source[place] ?? 0, 2: short, 4: long, 8: huge }[size]
    return Array.from({ length: count }, (_, index) => read(start + index * size))
  }

  const seen = new Set<number>()
  for (let at = first; isThere(at) && !seen.has(at) && seen.size < MOST_PAGES;) {
    seen.add(at)
    at = offset(at + head + countAt(at) * entrySize)
  }
  return { values, has: (tag) => places.has(tag), pages: seen.size }
}
