import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { AVIF_SETTINGS, avifStep } from '../../../src/formats/avif/curves.ts'

describe('the settings of AVIF', () => {
  it('are all that differ, as libaom makes them', async () => {
    const { data, info } = await sharp(await photo(48, 48).png())
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const differing: number[] = []
    let last = ''
    for (let quality = 1; quality <= 99; quality++) {
      const options = { quality, effort: 0, bitdepth: 10, chromaSubsampling: '4:4:4' } as const
      const encoded = (await sharp(data, { raw }).avif(options).toBuffer()).toString('base64')
      if (encoded !== last) differing.push(quality)
      last = encoded
    }
    expect(AVIF_SETTINGS).toEqual(differing)
  })

  it('are found by their quality', () => {
    expect(AVIF_SETTINGS[avifStep(60)]).toBe(60)
    expect(AVIF_SETTINGS[avifStep(61)]).toBe(62)
  })
})
