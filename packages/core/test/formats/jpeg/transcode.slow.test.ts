import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { recompressJpeg } from '../../../src/formats/jpeg/transcode.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { graphic, open, photo } from '../../images.ts'

async function pictureOf(jpeg: Buffer): Promise<Picture> {
  const { data, info } = await sharp(jpeg)
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 3 })
}

const stored = (jpeg: Uint8Array): Promise<Buffer> => sharp(jpeg, { ignoreIcc: true }).raw().toBuffer()

const SOURCES = {
  baseline: () => open(photo()).jpeg({ quality: 85 }),
  'full chroma': () => open(graphic()).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
  progressive: () => open(photo(90, 70)).jpeg({ quality: 70, progressive: true }),
  grey: () => open(photo()).toColourspace('b-w').jpeg({ quality: 80 }),
}

/** Files in which a profile or many scans weigh more than the saving. */
const OTHERS = {
  CMYK: () => open(photo()).toColourspace('cmyk').jpeg({ quality: 80 }),
  'tiny, odd-sided': () => open(photo(61, 43)).jpeg({ quality: 60 }),
}

describe('recompressJpeg', () => {
  it.each(Object.entries(SOURCES))('keeps every pixel of a %s file in fewer bytes', async (_, make) => {
    const source = await make().toBuffer()
    const recompressed = await recompressJpeg(source, await pictureOf(source))
    expect(recompressed!.length).toBeLessThan(source.length)
    expect((await stored(recompressed!)).equals(await stored(source))).toBe(true)
  })

  it.each(Object.entries(OTHERS))('keeps every pixel of a %s file', async (_, make) => {
    const source = await make().toBuffer()
    const recompressed = await recompressJpeg(source, await pictureOf(source))
    expect((await stored(recompressed!)).equals(await stored(source))).toBe(true)
  })

  it('keeps a profile that decides about the colours, and drops one that does not', async () => {
    const wide = await open(photo()).withIccProfile('p3').jpeg().toBuffer()
    const recompressed = await recompressJpeg(wide, await pictureOf(wide))
    expect((await sharp(recompressed).metadata()).icc).toBeDefined()
    expect((await stored(recompressed!)).equals(await stored(wide))).toBe(true)
    const usual = await open(photo()).withIccProfile('srgb').jpeg().toBuffer()
    expect((await sharp(await recompressJpeg(usual, await pictureOf(usual))).metadata()).icc).toBeUndefined()
  })

  it('keeps the orientation, and nothing else of the metadata', async () => {
    const source = await open(photo())
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer()
    const recompressed = await recompressJpeg(source, await pictureOf(source))
    expect((await sharp(recompressed).metadata()).orientation).toBe(6)
    expect(Buffer.from(recompressed!).includes('somebody')).toBe(false)
  })

  it('is finished after once', async () => {
    const source = await open(photo()).jpeg({ quality: 85 }).toBuffer()
    const picture = await pictureOf(source)
    const once = await recompressJpeg(source, picture)
    expect(await recompressJpeg(once!, picture)).toEqual(once)
  })

  it('leaves alone what is damaged', async () => {
    const source = await open(photo()).jpeg().toBuffer()
    const picture = await pictureOf(source)
    expect(await recompressJpeg(source.subarray(0, 300), picture)).toBeUndefined()
  })

  it('leaves no decoder at work on the source, also where another fails before it is done', async () => {
    const source = await open(photo(1600, 1200)).withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer()
    const picture = await pictureOf(source)
    // Two bytes that belong to no segment, behind the first: mozjpeg skips them, sharp refuses the file at its headers.
    const second = 4 + source.readUInt16BE(4)
    const odd = Buffer.concat([source.subarray(0, second), Buffer.from([0, 0]), source.subarray(second)])
    await expect(stored(odd)).rejects.toThrow('extraneous bytes')
    expect(await recompressJpeg(odd, picture)).toBeUndefined()
    expect(sharp.counters()).toEqual({ queue: 0, process: 0 })
  })

  const djpeg = requireTool('djpeg')
  it.skipIf(djpeg === undefined)('gives djpeg the same pixels', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    try {
      const source = await open(photo()).jpeg({ quality: 85 }).toBuffer()
      const recompressed = await recompressJpeg(source, await pictureOf(source))
      await writeFile(path.join(folder, 'source.jpg'), source)
      await writeFile(path.join(folder, 'recompressed.jpg'), recompressed!)
      const [one, two] = ['source.jpg', 'recompressed.jpg'].map(
        (name) => spawnSync(djpeg!, [path.join(folder, name)], { maxBuffer: 2 ** 26 }).stdout,
      )
      expect(one!.length).toBeGreaterThan(50_000)
      expect(one!.equals(two!)).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
