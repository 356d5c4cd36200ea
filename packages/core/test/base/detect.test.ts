import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { detectType } from '../../src/base/detect.ts'
import { isAnimatedPng } from '../../src/metadata/png-chunks.ts'
import { INPUT_TYPES } from '../../src/base/formats.ts'
import { writeBmp } from '../formats/bmp/write.ts'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const picture = sharp({ create: { width: 4, height: 3, channels: 3, background: '#369' } })

const SAMPLES: Record<(typeof INPUT_TYPES)[number], () => Promise<Uint8Array> | Uint8Array> = {
  'image/avif': () => picture.clone().avif({ effort: 0 }).toBuffer(),
  'image/webp': () => picture.clone().webp().toBuffer(),
  'image/jpeg': () => picture.clone().jpeg().toBuffer(),
  'image/png': () => picture.clone().png().toBuffer(),
  'image/gif': () => picture.clone().gif().toBuffer(),
  'image/svg+xml': () => text('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'image/tiff': () => picture.clone().tiff().toBuffer(),
  'image/bmp': () => writeBmp({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) }, { bits: 24 }),
  'image/heic': () => Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'),
  'image/jxl': () => new Uint8Array([0xff, 0x0a, 0, 0]),
}

describe('detectType', () => {
  it.each(INPUT_TYPES)('knows %s by its content', async (type) => {
    expect(detectType(await SAMPLES[type]())).toBe(type)
  })

  it.each([
    ['a byte order mark', '\uFEFF<svg>'],
    ['a declaration', '<?xml version="1.0"?>\n<svg>'],
    ['a comment', '<!-- drawn by hand > here -->\n<svg viewBox="0 0 1 1">'],
    ['a document type', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg>'],
    ['an internal subset', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>'],
    ['a namespace prefix', '<x:svg xmlns:x="http://www.w3.org/2000/svg"/>'],
  ])('knows an SVG behind %s', (_, content) => {
    expect(detectType(text(content))).toBe('image/svg+xml')
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['HTML that holds an SVG', '<!doctype html><body><svg></svg>'],
    ['a word that starts like a tag', '<svgfoo>'],
    ['PDF', '%PDF-1.7'],
    ['a RIFF that is no WebP', 'RIFF\0\0\0\0WAVEfmt '],
    ['an MP4', '\0\0\0\u0018ftypisom\0\0\0\0isommp41'],
  ])('does not take %s for an image', (_, content) => {
    expect(detectType(text(content))).toBeUndefined()
  })

  it('never throws on what is cut short', async () => {
    for (const sample of Object.values(SAMPLES)) {
      const data = await sample()
      for (let length = 0; length < Math.min(data.length, 64); length++)
        expect(() => detectType(data.subarray(0, length))).not.toThrow()
    }
  })
})

describe('isAnimatedPng', () => {
  it('looks for acTL before the first IDAT', async () => {
    const still = await picture.clone().png().toBuffer()
    expect(isAnimatedPng(still)).toBe(false)
    const chunk = Buffer.from([0, 0, 0, 8, 0x61, 0x63, 0x54, 0x4c, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(isAnimatedPng(Buffer.concat([still.subarray(0, 33), chunk, still.subarray(33)]))).toBe(true)
    expect(isAnimatedPng(Buffer.concat([still, chunk]))).toBe(false)
  })
})
