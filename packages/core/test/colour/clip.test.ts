import { describe, expect, it } from 'vitest'
import { ClippedColours, clipToP3 } from '../../src/colour/clip.ts'
import { apply, conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from '../../src/colour/colour-space.ts'

const toSrgb = conversion(toAdaptedXyz(DISPLAY_P3), SRGB)
const clip = (light: readonly number[]): number[] => light.map((value) => Math.min(1, Math.max(0, value)))

describe('a colour beyond Display P3', () => {
  it.each([[[-0.3, 0.9, 0.2]], [[1.3, 0.1, -0.1]], [[-0.1, -0.05, 0.9]], [[-0.4, 0.8, 1.1]], [[0.2, 1.2, -0.2]]])(
    'looks on a screen of sRGB as if it had been clipped to that at once: %j',
    (light) => {
      const given = light as [number, number, number]
      const result = clipToP3(given)
      expect(clip(result)).toEqual(result)
      const [wanted, shown] = [clip(apply(toSrgb, given)), clip(apply(toSrgb, result))]
      const twice = clip(apply(toSrgb, clip(given) as [number, number, number]))
      const error = (other: readonly number[]): number =>
        Math.max(...other.map((value, index) => Math.abs(value - wanted[index]!)))
      expect(error(shown)).toBeLessThan(0.02)
      expect(error(shown)).toBeLessThanOrEqual(error(twice))
    },
  )

  it('stays where it is inside', () => {
    const inside = clipToP3([0.2, 0.5, 0.7])
    inside.forEach((value, index) => expect(value).toBeCloseTo([0.2, 0.5, 0.7][index]!, 9))
  })
})

/** A colour for each key, all of which differ. */
const lightOf = (key: number): [number, number, number] => [1.2 - key / 1e6, key / 1e5, -0.1 - key / 1e7]

function found(colours: ClippedColours, key: number): number[] {
  const place = colours.placeOf(key, ...lightOf(key))
  return [...colours.light.subarray(place, place + 3)]
}

describe('the colours of a picture beyond Display P3', () => {
  it('have the light of their own, in whatever order and however many there are', () => {
    const colours = new ClippedColours()
    const keys = Array.from({ length: 40_000 }, (_, index) => (index * 7919) % 40_009)
    for (const key of [...keys, ...keys.slice(0, 100)]) expect(found(colours, key)).toEqual(clipToP3(lightOf(key)))
    // Sources may have 16 bits for each channel.
    const long = 2 ** 48 - 1
    expect(found(colours, long)).toEqual(clipToP3(lightOf(long)))
  })

  it('are clipped once each', () => {
    const colours = new ClippedColours()
    const place = colours.placeOf(0xffffff, 1.2, 0.9, -0.1)
    const before = [...colours.light.subarray(place, place + 3)]
    expect(colours.placeOf(0xffffff, 0.2, 0.9, -0.1)).toBe(place)
    expect([...colours.light.subarray(place, place + 3)]).toEqual(before)
  })
})
