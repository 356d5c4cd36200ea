import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { buildProfile } from '../../src/colour/build-profile.ts'
import { DISPLAY_P3, SRGB } from '../../src/colour/colour-space.ts'
import type { ColourSpace } from '../../src/colour/colour-space.ts'
import { hasSrgbPrimaries, isDisplayP3, profileOf, readMatrixProfile } from '../../src/colour/matrix-profile.ts'
import { ADOBE_RGB, PROPHOTO } from './spaces.ts'

const SPACES: readonly [string, ColourSpace][] = [
  ['sRGB', SRGB],
  ['Display P3', DISPLAY_P3],
  ['Adobe RGB', ADOBE_RGB],
  ['ProPhoto', PROPHOTO],
]

/** Returns the profile that libvips attaches, as an example of another maker's profile. */
async function vipsProfile(name: 'srgb' | 'p3'): Promise<Uint8Array> {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .withIccProfile(name)
    .png()
    .toBuffer()
  return (await sharp(png).metadata()).icc!
}

describe('readMatrixProfile', () => {
  it.each(SPACES)('reads what was written of %s', (_, space) => {
    const read = readMatrixProfile(buildProfile(space, 'a name'))!
    const meant = profileOf(space)
    read.toXyz.flat().forEach((value, index) => expect(value).toBeCloseTo(meant.toXyz.flat()[index]!, 4))
    for (let step = 0; step <= 50; step++)
      for (const channel of [0, 1, 2] as const)
        expect(Math.abs(read.curves[channel](step / 50) - meant.curves[channel](step / 50))).toBeLessThan(0.0005)
  })

  it('tells sRGB and Display P3, also by profiles of others', async () => {
    const [srgb, p3] = [await vipsProfile('srgb'), await vipsProfile('p3')]
    const kinds = [...SPACES.map(([, space]) => buildProfile(space, 'x')), srgb, p3].map((profile) => {
      const read = readMatrixProfile(profile)!
      return [hasSrgbPrimaries(read), isDisplayP3(read)]
    })
    expect(kinds).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ])
  })

  it('reads nothing from a profile that it does not know or that is truncated', async () => {
    const profile = await vipsProfile('p3')
    expect(readMatrixProfile(new Uint8Array())).toBeUndefined()
    for (const length of [20, 128, 140, 300, profile.length - 40])
      expect(readMatrixProfile(profile.subarray(0, length))).toBeUndefined()
    const cmyk = Uint8Array.from(profile)
    cmyk.set(Buffer.from('CMYK'), 16)
    expect(readMatrixProfile(cmyk)).toBeUndefined()
  })
})
