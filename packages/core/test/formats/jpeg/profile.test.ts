import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { profiledInks } from '../../../src/formats/jpeg/profile.ts'
import { optimize } from '../../../src/index.ts'

const drawn = sharp({ create: { width: 32, height: 24, channels: 3, background: '#b05030' } })

describe('a CMYK JPEG', () => {
  it('with a profile is passed through unasked, and converted where that is asked for', async () => {
    const source = await drawn.clone().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
    expect(profiledInks(source)?.changeable).toBe(true)
    const same = await optimize(source)
    expect([same.kept, same.notes]).toEqual(['input', [expect.stringContaining('CMYK')]])
    expect((await optimize(source, { convert: { type: 'image/webp' } })).info.type).toBe('image/webp')
  })

  it('without one is worked on, as is a JPEG of other colours', async () => {
    const bare = await drawn.clone().toColourspace('cmyk').jpeg().toBuffer()
    const p3 = await drawn.clone().withIccProfile('p3').jpeg().toBuffer()
    for (const source of [bare, p3, new Uint8Array(), bare.subarray(0, 40)])
      expect(profiledInks(source)).toBeUndefined()
    expect((await optimize(bare)).notes).toEqual([])
  })
})
