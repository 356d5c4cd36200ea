import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import type { JpegOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { rotateJpeg } from '../../../src/formats/jpeg/rotate.ts'
import { ascii, bigEndian, concatBytes } from '../../../src/metadata/bytes.ts'
import { buildExif } from '../../../src/metadata/exif-write.ts'
import { graphic, open, photo } from '../../images.ts'

/** Rotations of jpegtran for each EXIF orientation. */
const ORIENTATIONS = [
  [2, ['-flip', 'horizontal']],
  [3, ['-rotate', '180']],
  [4, ['-flip', 'vertical']],
  [5, ['-transpose']],
  [6, ['-rotate', '90']],
  [7, ['-transverse']],
  [8, ['-rotate', '270']],
] as const

const CODINGS: Record<string, JpegOptions> = {
  sequential: { quality: 85 },
  progressive: { quality: 85, progressive: true },
  'full chroma': { quality: 92, chromaSubsampling: '4:4:4' },
  'finest steps': { quality: 100 },
  coarse: { quality: 3, mozjpeg: true },
}

/** A file with an orientation in front of whatever else it has. */
function withOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const content = concatBytes([ascii('Exif\0\0'), buildExif({ orientation })!])
  const segment = concatBytes([Uint8Array.of(0xff, 0xe1), bigEndian(content.length + 2, 2), content])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

const make = (options: JpegOptions, width = 160, height = 128): Promise<Buffer> =>
  open(photo(width, height)).jpeg(options).toBuffer()

const grey = (width = 160, height = 128): Promise<Buffer> =>
  open(photo(width, height)).toColourspace('b-w').jpeg({ quality: 80 }).toBuffer()

const pixels = (jpeg: Uint8Array): Promise<Buffer> => sharp(jpeg).autoOrient().raw().toBuffer()

/** The largest and the mean difference of samples. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<{ most: number; mean: number }> {
  const [first, second] = [await pixels(one), await pixels(other)]
  expect(first.length).toBe(second.length)
  let [most, sum] = [0, 0]
  for (let at = 0; at < first.length; at++) {
    const by = Math.abs(first[at]! - second[at]!)
    most = Math.max(most, by)
    sum += by
  }
  return { most, mean: sum / first.length }
}

const jpegtran = requireTool('jpegtran')
const cjpeg = requireTool('cjpeg')

/** The file as jpegtran writes it; `undefined` where it refuses. */
function byJpegtran(jpeg: Uint8Array, options: readonly string[]): Buffer | undefined {
  const { status, stdout } = spawnSync(jpegtran!, ['-copy', 'none', ...options], { input: jpeg, maxBuffer: 2 ** 26 })
  return status === 0 ? stdout : undefined
}

describe('rotateJpeg', () => {
  it.each(ORIENTATIONS.map(([orientation]) => orientation))(
    'shows the picture of orientation %i without the tag, but for rounding',
    async (orientation) => {
      for (const jpeg of [
        ...(await Promise.all(Object.values(CODINGS).map((options) => make(options)))),
        await grey(),
      ]) {
        const source = withOrientation(jpeg, orientation)
        const rotated = rotateJpeg(source)!
        const { width, height, orientation: tag } = await sharp(rotated).metadata()
        expect([width, height, tag]).toEqual([...(orientation >= 5 ? [128, 160] : [160, 128]), undefined])
        // Luma and chroma differ by 1 at most, which their conversion to RGB adds up.
        const { most, mean } = await difference(rotated, source)
        expect(most).toBeLessThanOrEqual(3)
        expect(mean).toBeLessThan(0.2)
      }
    },
  )

  it('differs from a grey picture by one level at most', async () => {
    for (const [orientation] of ORIENTATIONS) {
      const source = withOrientation(await grey(), orientation)
      expect((await difference(rotateJpeg(source)!, source)).most).toBeLessThanOrEqual(1)
    }
  })

  it('gives the file back when the rotations cancel each other out', async () => {
    const source = await make({ quality: 85 })
    const there = rotateJpeg(withOrientation(source, 6))!
    const back = rotateJpeg(withOrientation(there, 8))!
    expect((await pixels(back)).equals(await pixels(source))).toBe(true)
  })

  it.skipIf(jpegtran === undefined)(
    'shows exactly what jpegtran -perfect shows, and refuses what it refuses',
    async () => {
      for (const [width, height] of [
        [160, 128],
        [161, 128],
        [160, 121],
        [87, 59],
      ] as const) {
        for (const jpeg of [
          await make(CODINGS.progressive!, width, height),
          await make(CODINGS['full chroma']!, width, height),
          await grey(width, height),
        ]) {
          for (const [orientation, options] of ORIENTATIONS) {
            const expected = byJpegtran(jpeg, ['-perfect', ...options])
            const rotated = rotateJpeg(withOrientation(jpeg, orientation))
            expect(rotated === undefined).toBe(expected === undefined)
            if (rotated === undefined || expected === undefined) continue
            expect((await pixels(rotated)).equals(await pixels(expected))).toBe(true)
          }
        }
      }
    },
  )

  it.skipIf(jpegtran === undefined)('reads restart markers, and scans of a component each', async () => {
    const source = await make({ quality: 85 }, 176, 144)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    try {
      await writeFile(path.join(folder, 'scans'), '0; 1; 2;')
      for (const options of [
        ['-restart', '3B'],
        ['-restart', '1'],
        ['-progressive', '-restart', '1'],
        ['-scans', path.join(folder, 'scans')],
      ]) {
        const rewritten = byJpegtran(source, options)!
        const rotated = rotateJpeg(withOrientation(rewritten, 6))!
        expect((await pixels(rotated)).equals(await pixels(byJpegtran(source, ['-rotate', '90'])!))).toBe(true)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.skipIf(jpegtran === undefined || cjpeg === undefined).each(['2x1', '1x2', '4x1', '2x2', '1x4', '4x2', '3x1'])(
    'exchanges the sampling factors of %s',
    async (factors) => {
      const { data, width, height } = photo(192, 192)
      const ppm = Buffer.concat([Buffer.from(`P6 ${width} ${height} 255\n`), data])
      const source = execFileSync(cjpeg!, ['-quality', '85', '-sample', factors], { input: ppm })
      for (const [orientation, options] of ORIENTATIONS) {
        const rotated = rotateJpeg(withOrientation(source, orientation))!
        expect((await pixels(rotated)).equals(await pixels(byJpegtran(source, ['-perfect', ...options])!))).toBe(true)
      }
    },
  )

  it('keeps a colour profile, and nothing else of the metadata', async () => {
    const source = await open(photo(160, 128))
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer()
    const rotated = rotateJpeg(source)!
    expect((await sharp(rotated).metadata()).icc).toEqual((await sharp(source).metadata()).icc)
    expect(Buffer.from(rotated).includes('somebody')).toBe(false)
  })

  it('leaves alone what is upright, and what it cannot read', async () => {
    expect(rotateJpeg(await make({ quality: 85 }))).toBeUndefined()
    const cmyk = await open(photo()).toColourspace('cmyk').jpeg().toBuffer()
    expect(rotateJpeg(withOrientation(cmyk, 2))).toBeUndefined()
    expect(rotateJpeg(withOrientation(Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 2))).toBeUndefined()
  })

  it.skipIf(jpegtran === undefined)('leaves arithmetic coding alone', async () => {
    const coded = byJpegtran(await make({ quality: 85 }), ['-arithmetic'])!
    expect(rotateJpeg(withOrientation(coded, 6))).toBeUndefined()
  })

  it('leaves a truncated file alone, wherever it ends', async () => {
    for (const options of [CODINGS.sequential!, CODINGS.progressive!]) {
      const source = withOrientation(await make(options, 48, 48), 6)
      for (let length = 0; length < source.length; length++) {
        expect(rotateJpeg(source.subarray(0, length))).toBeUndefined()
        // With an end marker added, the file misses only data.
        const ended = Buffer.concat([source.subarray(0, length), Buffer.from([0xff, 0xd9])])
        if (length < source.length - 2) expect(rotateJpeg(ended)).toBeUndefined()
      }
    }
  })

  it('never throws on damaged files, and what it writes can be read', async () => {
    let seed = 1
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    let written = 0
    for (const options of Object.values(CODINGS)) {
      const source = withOrientation(await open(graphic(48, 48)).jpeg(options).toBuffer(), 6)
      for (let round = 0; round < 400; round++) {
        const damaged = Buffer.from(source)
        for (let flips = 1 + random(3); flips > 0; flips--) damaged[random(damaged.length)]! ^= 1 << random(8)
        const rotated = rotateJpeg(damaged)
        if (rotated === undefined) continue
        written++
        await expect(sharp(rotated, { failOn: 'warning' }).raw().toBuffer()).resolves.toBeDefined()
      }
    }
    expect(written).toBeGreaterThan(100)
  })
})
