import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { WEBP_MARK } from '../../../src/formats/webp/mark.ts'
import { stripWebp, writeWebp } from '../../../src/formats/webp/metadata.ts'
import { webpInDisplayP3 } from '../../../src/formats/webp/profile.ts'
import { cutout, graphic, open, photo } from '../../images.ts'
import type { Raw } from '../../images.ts'

const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data, { animated: true }).ensureAlpha().raw().toBuffer()

const PICTURES: readonly (readonly [string, Raw])[] = [
  ['a photograph', photo()],
  ['a drawing', graphic()],
  ['one pixel', { data: Buffer.from([9, 200, 90]), width: 1, height: 1, channels: 3 }],
  ['a cut-out', cutout()],
]

describe.each(PICTURES)('the mark of a WebP file of %s', (_, raw) => {
  it.each([1, 40, 80, 99])('takes no byte and changes no pixel, at quality %i', async (quality) => {
    const plain = await open(raw)
      .webp({ quality, smartSubsample: quality > 50 })
      .toBuffer()
    expect(WEBP_MARK.read(plain)).toBeUndefined()
    const marked = WEBP_MARK.write(plain, 80)
    expect(WEBP_MARK.read(marked)).toBe(80)
    expect(marked.length).toBe(plain.length)
    expect(await pixels(marked)).toEqual(await pixels(plain))
  })

  it('stays where metadata and profiles are written and taken away', async () => {
    const marked = WEBP_MARK.write(await open(raw).webp({ quality: 70 }).toBuffer(), 61)
    const described = writeWebp(marked, { copyright: { text: 'Ada', flagged: true } })
    expect(WEBP_MARK.read(described)).toBe(61)
    expect(WEBP_MARK.read(stripWebp(described))).toBe(61)
    expect(WEBP_MARK.read(webpInDisplayP3(marked, raw))).toBe(61)
  })
})

describe('the mark of WebP files', () => {
  it('is in the first frame of an animation', async () => {
    const frames = Buffer.concat([photo(40, 40).data, photo(40, 40, 2).data])
    const pages = sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
    const plain = await pages.webp({ quality: 50, loop: 0, delay: [90, 90] }).toBuffer()
    const marked = WEBP_MARK.write(plain, 80)
    expect(WEBP_MARK.read(marked)).toBe(80)
    expect(await pixels(marked)).toEqual(await pixels(plain))
  })

  it('is not written into what is lossless, cut off or no WebP', async () => {
    const lossless = await open(graphic()).webp({ lossless: true }).toBuffer()
    const cut = (await open(photo()).webp().toBuffer()).subarray(0, 300)
    for (const data of [lossless, cut, Buffer.from('RIFF'), new Uint8Array()]) {
      expect(WEBP_MARK.write(data, 80)).toBe(data)
      expect(WEBP_MARK.read(data)).toBeUndefined()
    }
  })
})
