/** ICC profiles of the kinds that the engine reads and does not write. */
import { ascii, bigEndian, concatBytes } from '../../src/metadata/bytes.ts'

/** A profile with a header of three kinds and a few tags, one behind the other. */
function profile(kinds: string, tags: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  let end = 132 + tags.length * 12
  const table = tags.map(([name, content]) => {
    const row = concatBytes([ascii(name), bigEndian(end, 4), bigEndian(content.length, 4)])
    end += (content.length + 3) & ~3
    return row
  })
  const contents = tags.map(([, content]) => concatBytes([content, new Uint8Array(-content.length & 3)]))
  const header = new Uint8Array(128)
  header.set(bigEndian(0x02100000, 4), 8)
  header.set(ascii(kinds), 12)
  header.set(ascii('acsp'), 36)
  header.set(concatBytes([0xf6d6, 0x10000, 0xd32d].map((value) => bigEndian(value, 4))), 68)
  const whole = concatBytes([header, bigEndian(tags.length, 4), ...table, ...contents])
  whole.set(bigEndian(whole.length, 4), 0)
  return whole
}

/** Grey whose samples are lightness. */
export const lightnessProfile = (): Uint8Array =>
  profile('mntrGRAYLab ', [['kTRC', concatBytes([ascii('curv\0\0\0\0'), bigEndian(0, 4)])]])

/** Values at each crossing of a grid of 2 lines per sample, 16 bits each. */
type Crossing = (samples: readonly number[]) => readonly [number, number, number]

/**
 * Returns a `lut16Type` with straight curves, from 3 or 4 samples to L*, a*, b*. L* of 100 is 65,535; a* and b* of 0
 * are 32,896.
 */
export function tableProfile(space: 'RGB ' | 'CMYK', crossing: Crossing): Uint8Array {
  const channels = space === 'CMYK' ? 4 : 3
  const straight = [0, 65_535].map((value) => bigEndian(value, 2))
  const corners = Array.from({ length: 2 ** channels }, (_, corner) =>
    Array.from({ length: channels }, (__, axis) => (corner >> (channels - 1 - axis)) & 1),
  )
  const matrix = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 65_536].map((value) => bigEndian(value, 4))
  const content = concatBytes([
    ascii('mft2\0\0\0\0'),
    Uint8Array.of(channels, 3, 2, 0),
    ...matrix,
    bigEndian(2, 2),
    bigEndian(2, 2),
    ...Array.from({ length: channels }, () => straight).flat(),
    ...corners.flatMap((corner) => crossing(corner).map((value) => bigEndian(value, 2))),
    ...[straight, straight, straight].flat(),
  ])
  return profile(`prtr${space}Lab `, [['A2B0', content]])
}
