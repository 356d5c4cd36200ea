/** Writes ICC profiles of the simple kind, three primaries and a curve. Source: ICC.1:2001-04. */
import { ascii, bigEndian, concatBytes } from '../metadata/bytes.ts'
import type { ColourSpace } from './colour-space.ts'
import { D50, DISPLAY_P3, toAdaptedXyz } from './colour-space.ts'
import { toLight } from '../resample/transfer.ts'

/** Points of sRGB's curve: straight lines between them are off by an eighth of a level of 255 at most. */
const CURVE_POINTS = 64

let displayP3: Uint8Array | undefined

/** Returns the profile of Display P3. */
export function displayP3Profile(): Uint8Array {
  displayP3 ??= buildProfile(DISPLAY_P3, 'Display P3')
  return displayP3
}

/** Builds a version 2 profile, which every reader knows, of a colour space. Less than 600 bytes. */
export function buildProfile(space: ColourSpace, description: string): Uint8Array {
  const columns = toAdaptedXyz(space)
  const curve = curveTag(space.transfer)
  const column = (index: 0 | 1 | 2): Uint8Array => xyzTag([columns[0][index], columns[1][index], columns[2][index]])
  const tags: readonly (readonly [string, Uint8Array])[] = [
    ['desc', descriptionTag(description)],
    ['cprt', concatBytes([ascii('text\0\0\0\0CC0\0')])],
    ['wtpt', xyzTag(D50)],
    ['rXYZ', column(0)],
    ['gXYZ', column(1)],
    ['bXYZ', column(2)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const offsets = new Map<Uint8Array, number>()
  const contents: Uint8Array[] = []
  let end = 132 + tags.length * 12
  for (const [, content] of tags) {
    if (offsets.has(content)) continue
    offsets.set(content, end)
    const padded = concatBytes([content, new Uint8Array(-content.length & 3)])
    contents.push(padded)
    end += padded.length
  }
  const table = tags.map(([name, content]) =>
    concatBytes([ascii(name), bigEndian(offsets.get(content)!, 4), bigEndian(content.length, 4)]),
  )
  return concatBytes([header(end), bigEndian(tags.length, 4), ...table, ...contents])
}

function header(size: number): Uint8Array {
  const bytes = new Uint8Array(128)
  bytes.set(bigEndian(size, 4), 0)
  bytes.set(bigEndian(0x02100000, 4), 8)
  bytes.set(ascii('mntrRGB XYZ '), 12)
  // A date is required; a fixed one keeps the bytes the same from run to run.
  bytes.set([0x07, 0xd0, 0, 1, 0, 1], 24)
  bytes.set(ascii('acsp'), 36)
  bytes.set(concatBytes(D50.map(fixed)), 68)
  return bytes
}

function descriptionTag(text: string): Uint8Array {
  // The Unicode and Macintosh texts are empty: code, count, script code, count and its 67 bytes.
  return concatBytes([ascii('desc\0\0\0\0'), bigEndian(text.length + 1, 4), ascii(`${text}\0`), new Uint8Array(78)])
}

function xyzTag(values: readonly [number, number, number]): Uint8Array {
  return concatBytes([ascii('XYZ \0\0\0\0'), ...values.map(fixed)])
}

/** Encodes a number with 16 binary places, two's complement. */
function fixed(value: number): Uint8Array {
  return bigEndian(Math.round(value * 65_536) >>> 0, 4)
}

function curveTag(transfer: ColourSpace['transfer']): Uint8Array {
  // A single number is an exponent with 8 binary places.
  if (typeof transfer === 'number')
    return concatBytes([ascii('curv\0\0\0\0'), bigEndian(1, 4), bigEndian(Math.round(transfer * 256), 2)])
  const points = Array.from({ length: CURVE_POINTS }, (_, index) =>
    bigEndian(Math.round(toLight(index / (CURVE_POINTS - 1)) * 65_535), 2),
  )
  return concatBytes([ascii('curv\0\0\0\0'), bigEndian(CURVE_POINTS, 4), ...points])
}
