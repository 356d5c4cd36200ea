import { absurdSizes, animation, failure, naming } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { detectType } from '../../../src/base/detect.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import type { Limits } from '../../../src/base/limits.ts'
import type { ProbeResult } from '../../../src/base/types.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import { sized } from '../../formats/jxl/write-header.ts'

const probe = (data: Uint8Array, limits: Limits = {}): Promise<ProbeResult> =>
  probeImage(data, detectType(data)!, { ...DEFAULT_LIMITS, ...limits }, 'a.img')

const small = sharp({ create: { width: 40, height: 30, channels: 3, background: '#a53' } })

describe('a header that claims an absurd size', () => {
  it('is refused with the size and the limit, in every format', async () => {
    const jxl = Buffer.from(
      sized(2 ** 30, 2 ** 30)
        .bits(1, 1)
        .codestream(),
    )
    const files = [...(await absurdSizes()), { format: 'jxl', size: `${2 ** 30}×${2 ** 30}`, data: jxl }]
    for (const { format, size, data } of files) {
      const [width, height] = size.split('×').map(BigInt)
      const message = `The image is ${size} = ${width! * height!} pixels; the limit is 100000000.`
      await expect(probe(data), `${format} ${size}`).rejects.toMatchObject({
        code: 'INPUT_TOO_LARGE',
        message: expect.stringContaining(message),
      })
    }
  })

  it('is refused for one long side, whatever the limit of pixels is', async () => {
    const { data } = (await absurdSizes()).find(({ format, size }) => format === 'avif' && size.endsWith('×3'))!
    await expect(probe(data, { maxPixels: 1e12 })).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: naming('2147483647×3 pixels', '100000000'),
    })
  })

  it('is called damaged where a side has no pixels', async () => {
    const avif = await small.clone().avif().toBuffer()
    avif.writeUInt32BE(0, avif.indexOf('ispe') + 8)
    avif.writeUInt32BE(2 ** 31 - 1, avif.indexOf('ispe') + 12)
    await expect(probe(avif)).rejects.toMatchObject({ code: 'DECODE_FAILED' })
  })
})

describe('the size that a header claims', () => {
  it.each(['png', 'jpeg', 'avif', 'webp'] as const)('is that of the picture: %s', async (format) => {
    for (const options of [{}, { lossless: true }, { progressive: true }]) {
      const data = await small
        .clone()
        .toFormat(format, options as object)
        .toBuffer()
      expect(await probe(data, { maxPixels: 1200 })).toMatchObject({ width: 40, height: 30 })
      await expect(probe(Buffer.from(data), { maxPixels: 1199 })).rejects.toThrow('The image is 40×30 = 1200 pixels')
    }
  })
})

describe('the size of a picture that EXIF turns', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is the one that is seen: orientation %i', async (orientation) => {
    const data = await small.clone().jpeg().withMetadata({ orientation }).toBuffer()
    const upright = await sharp(data).rotate().toBuffer({ resolveWithObject: true })
    const { width, height } = upright.info
    expect(await probe(data)).toMatchObject({ width, height, orientation })
  })
})

describe('the pixels of an animation', () => {
  it('are those of all frames', async () => {
    for (const type of ['gif', 'webp'] as const) {
      // Frames that are read one at a time may have ten times the limit together.
      const data = await animation(40, 30, 12)[type]()
      expect((await probe(data, { maxPixels: 40 * 30 * 12 })).frames).toBe(12)
      await expect(probe(Buffer.from(data), { maxPixels: 40 * 30 }), type).rejects.toThrow(failure('INPUT_TOO_LARGE'))
    }
  })
})
