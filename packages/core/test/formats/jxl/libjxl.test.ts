import { missingTool, requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodeJxl, encodeJxl, releaseLargeJxlMemory } from '../../../src/formats/jxl/libjxl.ts'
import { cutout, open, photo } from '../../images.ts'
import { convert } from './djxl.ts'
import { jxlFixture } from './fixture.ts'

const noTools = (['cjxl', 'djxl'] as const).find((tool) => requireTool(tool) === undefined)

function difference(a: Uint8Array, b: Uint8Array): { mean: number; max: number } {
  expect(a.length).toBe(b.length)
  let sum = 0
  let max = 0
  for (let at = 0; at < a.length; at++) {
    const off = Math.abs(a[at]! - b[at]!)
    sum += off
    max = Math.max(max, off)
  }
  return { mean: sum / a.length, max }
}

describe.skipIf(noTools !== undefined)(
  noTools === undefined ? "against libjxl's own programs" : missingTool(noTools),
  () => {
    it.each([
      ['alpha', 4],
      ['container', 4],
      ['gray', 4],
      ['jpeg-transcode', 2],
      ['modular-lossy', 2],
      ['turned', 6],
      ['17x15', 4],
      // The synthetic noise differs between versions of libjxl.
      ['patches-noise', 24],
      // Display P3, as an ICC profile: libjxl converts it too.
      ['p3-icc', 4],
    ])('decodes %s to the same pixels', async (name, tolerance) => {
      const data = jxlFixture(name)
      const png = convert('djxl', data, ['jxl', 'png'], '--color_space=RGB_D65_SRG_Rel_SRG', '--bits_per_sample=8')
      const decoded = await decodeJxl(data)
      const expected = await sharp(png).ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
      expect([decoded.width, decoded.height]).toEqual([expected.info.width, expected.info.height])
      const { mean, max } = difference(decoded.data, expected.data)
      expect(mean).toBeLessThan(0.5)
      expect(max).toBeLessThanOrEqual(tolerance)
    })

    it('brings 16 bits of gamma 2.2 to 8 bits of sRGB', async () => {
      const data = jxlFixture('rgb16-lossless')
      const ppm = convert('djxl', data, ['jxl', 'ppm'])
      const samples = ppm.subarray(ppm.length - 90 * 60 * 3 * 2)
      const expected = new Uint8Array(90 * 60 * 4).fill(255)
      for (let sample = 0; sample < 90 * 60 * 3; sample++) {
        const linear = (samples.readUInt16BE(sample * 2) / 65_535) ** 2.2
        const coded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
        expected[Math.floor(sample / 3) * 4 + (sample % 3)] = Math.round(coded * 255)
      }
      expect(difference((await decodeJxl(data)).data, expected).max).toBeLessThanOrEqual(1)
    })

    it.each([
      ['lossless', { effort: 3, quality: 'lossless' }, 0],
      ['lossy', { effort: 5, quality: 90 }, 4],
    ] as const)('writes %s files that they read', async (_, settings, tolerance) => {
      const { data, width, height } = cutout()
      const encoded = await encodeJxl({ data, width, height }, settings)
      const png = convert('djxl', encoded, ['jxl', 'png'])
      const theirs = await sharp(png).ensureAlpha().raw().toBuffer()
      expect(difference(theirs, (await decodeJxl(encoded)).data).max).toBeLessThanOrEqual(tolerance)
      if (settings.quality === 'lossless') expect(theirs.equals(data)).toBe(true)
    })

    it('reads what their encoder writes', async () => {
      const { data } = photo()
      const jxl = convert('cjxl', await open(photo()).png().toBuffer(), ['png', 'jxl'], '-d', '0', '-e', '4')
      const decoded = await decodeJxl(jxl)
      const plain = await sharp(decoded.data, { raw: { width: 160, height: 120, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer()
      expect(plain.equals(data)).toBe(true)
    })
  },
)

describe('decodeJxl', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['a signature alone', Uint8Array.of(0xff, 0x0a)],
    ['half of a file', jxlFixture('alpha').subarray(0, 3000)],
    ['all but the last byte', jxlFixture('alpha').subarray(0, -1)],
  ])('refuses %s, and works on', async (_, data) => {
    await expect(decodeJxl(data)).rejects.toThrow('damaged or truncated')
    expect(await decodeJxl(jxlFixture('1x1'))).toMatchObject({ width: 1, height: 1 })
  })

  it('either decodes or refuses damaged files', async () => {
    for (let at = 2; at < 300; at += 7) {
      const damaged = jxlFixture('17x15')
      damaged[at % damaged.length]! ^= 0x55
      await decodeJxl(damaged).then(
        ({ data, width, height }) => expect(data.length).toBe(width * height * 4),
        (error: unknown) => expect(error).toBeInstanceOf(Error),
      )
    }
    expect((await decodeJxl(jxlFixture('17x15'))).data.length).toBe(17 * 15 * 4)
  })

  it('leaves nothing in the global scope', async () => {
    await decodeJxl(jxlFixture('1x1'))
    expect('ImageData' in globalThis).toBe(false)
  })
})

describe('encodeJxl', () => {
  it('writes the same bytes every time, with a fresh memory too', async () => {
    const { data, width, height } = cutout(700, 600)
    const first = await encodeJxl({ data, width, height }, { effort: 5, quality: 70 })
    releaseLargeJxlMemory()
    const second = await encodeJxl({ data, width, height }, { effort: 5, quality: 70 })
    expect(Buffer.from(second).equals(first)).toBe(true)
  })

  it('says so when the encoder fails, and works on', async () => {
    const pixels = { data: new Uint8Array(16), width: 2, height: 2 }
    const tooMany = { data: new Uint8Array(4), width: 40_000, height: 40_000 }
    await expect(encodeJxl(tooMany, { effort: 3, quality: 50 })).rejects.toThrow(Error)
    expect((await encodeJxl(pixels, { effort: 3, quality: 50 })).length).toBeGreaterThan(10)
  })
})
