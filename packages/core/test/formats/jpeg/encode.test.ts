import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/formats/jpeg/encode.ts'
import { createPicture, fromPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import type { Effort } from '../../../src/base/types.ts'
import { hasBands } from '../../../src/formats/jpeg/bands.ts'
import { colourPhoto, open, photo } from '../../images.ts'
import { countWork } from '../../../src/base/counters.ts'

const fixtures = new URL('../../fixtures/properties/', import.meta.url)

async function load(name: string): Promise<Picture> {
  const { data, info } = await sharp(await readFile(new URL(name, fixtures)))
    .removeAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 3 })
}

async function encode(
  picture: Picture,
  target: number,
  effort: Effort = 'default',
): Promise<{ data: Uint8Array; score: number }> {
  const scorer = createScorer(picture)
  try {
    const candidates = await encodeJpeg({ picture, scorer, target, effort, source: undefined })
    expect(candidates).toHaveLength(1)
    const { data, score } = candidates[0]!
    expect(await scorer.score(data)).toBeCloseTo(score, 5)
    expect(score).toBeGreaterThanOrEqual(target)
    return { data, score }
  } finally {
    scorer.dispose()
  }
}

async function softPhoto(width: number, height: number): Promise<Picture> {
  const data = await open(colourPhoto(width, height)).blur(1).raw().toBuffer()
  return createPicture({ data, width, height, channels: 3 })
}

/** The first table of a JPEG. */
const firstTable = (jpeg: Uint8Array): string => {
  const at = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xdb])) + 5
  return Buffer.from(jpeg.subarray(at, at + 64)).toString('hex')
}

/** mozjpeg's number of a JPEG's tables. */
async function tablesOf(jpeg: Uint8Array): Promise<number | undefined> {
  const dot = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
  for (const quantisationTable of [3, 5, 8]) {
    for (let quality = 1; quality <= 98; quality++) {
      const made = await dot.clone().jpeg({ quality, quantisationTable }).toBuffer()
      if (firstTable(made) === firstTable(jpeg)) return quantisationTable
    }
  }
  return undefined
}

/** The fewest bytes with one set of tables, of all settings that may be. */
async function fewestBytes(picture: Picture, quantisationTable: number, target: number): Promise<number> {
  const scorer = createScorer(picture)
  let fewest = Infinity
  for (const chromaSubsampling of ['4:2:0', '4:4:4'] as const) {
    for (let quality = 98; quality >= 20; quality--) {
      const options = { mozjpeg: true, quality, quantisationTable, chromaSubsampling }
      const data = await fromPicture(picture).jpeg(options).toBuffer()
      const score = await scorer.score(data)
      if (score >= target) fewest = Math.min(fewest, data.length)
      if (score < target - 4) break
    }
  }
  scorer.dispose()
  return fewest
}

describe('quantisation tables', () => {
  it('are one set where time is short', async () => {
    const picture = await load('q100-444.jpg')
    const { data } = await encode(picture, 90, 'fast')
    expect(await tablesOf(data)).toBe(5)
  })

  it.each([
    [90, 8],
    [60, 5],
  ])('are those that take fewer bytes at a score of %i', async (target, tables) => {
    const picture = await load('q100-444.jpg')
    const { data } = await encode(picture, target)
    expect(await tablesOf(data)).toBe(tables)
    const fewest = [await fewestBytes(picture, 5, target), await fewestBytes(picture, 8, target)]
    expect(fewest.indexOf(Math.min(...fewest))).toBe(tables === 5 ? 0 : 1)
    expect(data.length).toBeLessThan(Math.min(...fewest) * 1.07)
  })
})

/**
 * Returns `true` if a JPEG has the frame header of a progressive file (ITU-T T.81 annex B.2.2), with three components.
 */
const isProgressive = (jpeg: Uint8Array): boolean => Buffer.from(jpeg).includes(Buffer.from([0xff, 0xc2, 0x00, 0x11]))

const jpegtran = requireTool('jpegtran')

describe('scans', () => {
  it.skipIf(jpegtran === undefined)('are those of a progressive file where that takes fewer bytes', async () => {
    const { data } = await encode(createPicture(photo(300, 200)), 80)
    expect(isProgressive(data)).toBe(true)
    expect(Buffer.from(data).includes('JFIF')).toBe(false)
    // The sequential file has the same coefficients.
    const sequential = spawnSync(jpegtran!, ['-optimize'], { input: data, maxBuffer: 2 ** 26 }).stdout
    expect(data.length).toBeLessThan(sequential.length)
  })

  it('are one in a tiny picture, where many headers outweigh what they save', async () => {
    const { data } = await encode(createPicture(photo(24, 24)), 80)
    expect(isProgressive(data)).toBe(false)
  })
})

describe('a photograph of a megapixel', () => {
  it.each([
    ['fast', 2.9],
    ['default', 4],
  ] as const)('is searched with its bands until the last encodes, for %s', async (effort, most) => {
    const [width, height] = [1200, 840]
    const picture = await softPhoto(width, height)
    expect(hasBands(picture)).toBe(true)
    const { work } = await countWork(() => encode(picture, 80, effort))
    // Once is for the score of this test.
    expect(work.decoded).toBeLessThan(most * width * height)
  })

  it('has the pixels that were scored, in progressive scans, where time is short', async () => {
    const picture = await softPhoto(1000, 700)
    const scorer = createScorer(picture)
    const [made] = await encodeJpeg({ picture, scorer, target: 80, effort: 'fast', source: undefined })
    scorer.dispose()
    expect(isProgressive(made!.data)).toBe(true)
    expect(made!.data.length).toBeLessThan(made!.scored!.length)
    const [shown, scored] = await Promise.all([made!.data, made!.scored!].map((jpeg) => sharp(jpeg).raw().toBuffer()))
    expect(shown!.equals(scored!)).toBe(true)
  })
})

/** Thin lines of saturated colours, which no setting keeps with halved chroma. */
function lines(): Picture {
  const [width, height] = [400, 300]
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) data[at + 2 * ((x + Math.floor((x * y) / 200)) % 2)] = 230
  }
  return createPicture({ data, width, height, channels: 3 })
}

describe('colours that halved chroma loses', () => {
  it.each(['fast', 'default'] as const)(
    'have full chroma where halved chroma misses the promise in more bytes than are of use, for %s',
    async (effort) => {
      const picture = lines()
      const scorer = createScorer(picture)
      const encoded = (mostBytes?: number): Promise<Candidate[]> =>
        encodeJpeg({ picture, scorer, target: 80, effort, source: undefined, mostBytes })
      const [free] = await encoded()
      const [bound] = await encoded(free!.data.length * 1.1)
      scorer.dispose()
      expect(free!.score).toBeGreaterThanOrEqual(80)
      expect(await chromaOf(free!)).toBe('4:4:4')
      expect(Buffer.compare(bound!.data, free!.data)).toBe(0)
    },
  )

  it('are not looked for where the source has lost them', async () => {
    const picture = lines()
    const source = await fromPicture(picture).jpeg({ quality: 60 }).toBuffer()
    const scorer = createScorer(picture)
    const { result, work } = await countWork(() =>
      encodeJpeg({ picture, scorer, target: 80, effort: 'default', source, mostBytes: 20_000 }),
    )
    scorer.dispose()
    expect(result.filter(({ score }) => score < 100)).toEqual([])
    expect(work.probes).toBe(1)
  })
})

const chromaOf = async ({ data }: Candidate): Promise<unknown> => (await sharp(data).metadata()).chromaSubsampling

describe('a result with halved chroma that a guard refuses', () => {
  it('is raised as it is where that takes fewer bytes than full chroma, and else to full chroma', async () => {
    const picture = await softPhoto(480, 320)
    const scorer = createScorer(picture)
    const [made] = await encodeJpeg({ picture, scorer, target: 80, effort: 'default', source: undefined })
    const [little, much] = [await made!.raise!(0.5), await made!.raise!(12)]
    scorer.dispose()
    expect(await chromaOf(made!)).toBe('4:2:0')
    expect([await chromaOf(little!), await chromaOf(much!)]).toEqual(['4:2:0', '4:4:4'])
    expect(little!.data.length).toBeLessThan(much!.data.length)
  })
})

describe('a quick encode', () => {
  it('is made better up to the bytes that it has when its scans are found', async () => {
    const picture = createPicture(photo(300, 200))
    const scorer = createScorer(picture)
    const request = { picture, scorer, target: 80, effort: 'fast', source: undefined } as const
    const [free] = await encodeJpeg(request)
    const wanted = await free!.raise!(3)
    const [bound] = await encodeJpeg({ ...request, mostBytes: wanted!.data.length + 1 })
    const better = await bound!.raise!(3)
    scorer.dispose()
    expect(better && Buffer.compare(better.data, wanted!.data)).toBe(0)
    expect(wanted!.scored!.length).toBeGreaterThan(wanted!.data.length + 1)
  })
})

describe('a photograph that was compressed before', () => {
  it('is raised by few settings for a guard, as its scores rise steeply below its own steps', async () => {
    const source = await open(colourPhoto(640, 480)).blur(1).jpeg({ quality: 72 }).toBuffer()
    const { data, info } = await sharp(source).raw().toBuffer({ resolveWithObject: true })
    const picture = createPicture({ data, width: info.width, height: info.height, channels: 3 })
    const scorer = createScorer(picture)
    const growth = async (from: Buffer | undefined): Promise<number> => {
      const [found] = await encodeJpeg({ picture, scorer, target: 80, effort: 'default', source: from })
      const raised = await found!.raise!(3)
      return raised!.data.length / found!.data.length
    }
    expect(await growth(source)).toBeLessThan(await growth(undefined))
    scorer.dispose()
  })
})
