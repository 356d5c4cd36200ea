import { exifFiles } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { detectType } from '../../src/base/detect.ts'
import { shownSizeOfJpeg, stripJpeg, writeJpeg } from '../../src/formats/jpeg/metadata.ts'
import { rotateJpeg } from '../../src/formats/jpeg/rotate.ts'
import { readPngOrientation } from '../../src/formats/png/metadata.ts'
import { orientationOf } from '../../src/optimizer/image-details.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { sharpDefaults } from '../../src/optimizer/sharp-defaults.ts'
import { openStill } from '../../src/work/steps/open-still.ts'
import { probeImage } from '../../src/work/steps/probe.ts'

const { TYPE, behindPixels, corners, exif, exifSegment, inJpeg, inPng, orientation, pngChunk, resolution } = exifFiles

const SIX = exif('MM', [orientation(TYPE.short, [6])])
const LONG_SIX = exif('II', [orientation(TYPE.long, [6])])
const jpegWith = async (block: Buffer): Promise<Buffer> =>
  inJpeg(await corners(64, 40).jpeg({ quality: 92 }).toBuffer(), exifSegment(block))
const pngWith = async (block: Buffer): Promise<Buffer> =>
  inPng(await corners(64, 40).png().toBuffer(), pngChunk('eXIf', block))

/** Sizes of the upright picture by everything that tells or decodes it. */
async function sizesOf(data: Buffer): Promise<string[]> {
  const type = detectType(data)!
  const optimizer = createOptimizer({ cache: false, concurrency: 1 })
  const { width, height } = await probeImage(data, type, DEFAULT_LIMITS)
  const { info: opened } = await (await openStill(data, type, false)).raw().toBuffer({ resolveWithObject: true })
  const { info } = await optimizer.optimize(data)
  const made = await sharpDefaults(optimizer.plan(data, {}))!()
  const compared = await sharp(made.lossless).metadata()
  await optimizer.close()
  return [{ width, height }, opened, info, compared].map((size) => `${size.width}×${size.height}`)
}

describe('an orientation that browsers ignore', () => {
  it.each([
    ['a LONG in a JPEG', () => jpegWith(LONG_SIX)],
    ['a BYTE in a JPEG', () => jpegWith(exif('MM', [orientation(TYPE.byte, [6])]))],
    ['two SHORT in a JPEG', () => jpegWith(exif('MM', [orientation(TYPE.short, [6, 6])]))],
    ['a LONG in a PNG', () => pngWith(LONG_SIX)],
    [
      'behind the pixels of a PNG',
      async () => behindPixels(await corners(64, 40).png().toBuffer(), pngChunk('eXIf', SIX)),
    ],
    ['a PNG with the prefix of JPEG', () => pngWith(Buffer.concat([Buffer.from('Exif\0\0'), SIX]))],
  ])('turns nothing: %s', async (_, make) => {
    const data = await make()
    expect(await sizesOf(data)).toEqual(['64×40', '64×40', '64×40', '64×40'])
    expect(await orientationOf(data, detectType(data)!)).toBeUndefined()
  })

  it.each([
    ['in the EXIF directory of a JPEG', () => jpegWith(exif('II', [orientation(TYPE.short, [6], { in: 'exif' })]))],
    [
      'behind one of another type',
      () => jpegWith(exif('II', [orientation(TYPE.long, [3]), orientation(TYPE.short, [6])])),
    ],
    ['a SHORT in a PNG', () => pngWith(SIX)],
  ])('does not hide one that they apply: %s', async (_, make) => {
    expect(await sizesOf(await make())).toEqual(['40×64', '40×64', '40×64', '40×64'])
  })

  it('turns the picture that is compared with other tools, in every direction and size', async () => {
    const { plan } = createOptimizer({ cache: false })
    for (let value = 1; value <= 8; value++) {
      const data = await jpegWith(exif('II', [orientation(TYPE.short, [value])]))
      const { lossless } = await sharpDefaults(plan(data, { resize: { method: 'scale', width: 30 } }))!()
      const [made, wanted] = await Promise.all([
        sharp(lossless).raw().toBuffer({ resolveWithObject: true }),
        sharp(data).autoOrient().resize(30).raw().toBuffer({ resolveWithObject: true }),
      ])
      expect([made.info.width, made.info.height], `${value}`).toEqual([wanted.info.width, wanted.info.height])
      const furthest = made.data.reduce((most, each, at) => Math.max(most, Math.abs(each - wanted.data[at]!)), 0)
      expect(furthest, `${value}`).toBeLessThan(40)
    }
  })

  it('finds the only directory of a file that loops', () => {
    const looped = Buffer.from(exif('II', [orientation(TYPE.short, [3], { in: 'exif' })]))
    // The pointer leads back to its own directory.
    looped.writeUInt32LE(8, 8 + 2 + 8)
    expect(readPngOrientation(looped)).toBe(1)
  })
})

describe('the size that browsers give a JPEG by its resolution', () => {
  const half = resolution({ dpi: [144, 144], size: [32, 20] })
  const turned = exif('II', [orientation(TYPE.short, [6]), ...resolution({ dpi: [144, 144], size: [32, 24] })])

  it('is upright, and outlives every way to write the file', async () => {
    // Whole blocks, so that the picture can be turned without loss.
    const data = inJpeg(await corners(64, 48).jpeg({ quality: 92 }).toBuffer(), exifSegment(turned))
    expect(shownSizeOfJpeg(data)).toEqual({ width: 24, height: 32 })
    const stripped = stripJpeg(data)
    const written = writeJpeg(stripped, { creation: '2024:05:06 07:08:09' })
    const upright = rotateJpeg(data)!
    const optimizer = createOptimizer({ cache: false, concurrency: 1 })
    const lossy = await optimizer.optimize(data)
    const kept = await optimizer.optimize(data, { preserve: ['creation'] })
    const exact = await optimizer.optimize(data, { lossless: true })
    await optimizer.close()
    for (const [name, file] of Object.entries({
      stripped,
      written,
      upright,
      lossy: lossy.data,
      kept: kept.data,
      exact: exact.data,
    })) {
      expect(shownSizeOfJpeg(file), name).toEqual({ width: 24, height: 32 })
    }
    expect(await sharp(upright).metadata()).toMatchObject({ width: 48, height: 64, density: 144 })
  })

  it('is that of the pixels where it does not agree with them, and after a resize', async () => {
    const other = await jpegWith(exif('II', resolution({ dpi: [144, 144], size: [33, 20] })))
    const data = await jpegWith(exif('II', half))
    const optimizer = createOptimizer({ cache: false, concurrency: 1 })
    const resized = await optimizer.optimize(data, { resize: { method: 'scale', width: 48 } })
    const converted = await optimizer.optimize(data, { convert: { type: 'image/webp' } })
    const plain = await optimizer.optimize(other, { convert: { type: 'image/webp' } })
    await optimizer.close()
    expect(shownSizeOfJpeg(other)).toBeUndefined()
    expect(shownSizeOfJpeg(resized.data)).toBeUndefined()
    // Browsers do not read the resolution of a WebP: only the page can give the size.
    expect([converted.notes.length, plain.notes.length]).toEqual([1, 0])
  })
})
