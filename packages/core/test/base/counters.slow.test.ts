import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import type { ImageType, Work } from '../../src/base/types.ts'
import {
  addedWork,
  countEncode,
  countPack,
  countProbe,
  countSample,
  countScore,
  countWork,
  timePhase,
  withWait,
} from '../../src/base/counters.ts'
import { runJob } from '../../src/work/run.ts'
import { cutout, graphic, open, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'

/**
 * The counts for every kind of picture in every type and at every effort. After a deliberate change of a search,
 * `vitest run -u` with this file writes them again; the difference shows where the search grew.
 */
const TABLE = fileURLToPath(new URL('counters.txt', import.meta.url))

const EFFORTS = ['fast', 'default', 'max'] as const
const TYPES: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

const pictures: Record<string, Buffer> = {}

beforeAll(async () => {
  const soft = open(photo(240, 180)).blur(1.2)
  pictures['photo.jpg'] = await soft.clone().jpeg({ quality: 97 }).toBuffer()
  pictures['photo.png'] = await soft.clone().png().toBuffer()
  pictures['photo.webp'] = await soft.clone().webp({ quality: 95 }).toBuffer()
  pictures['graphic.png'] = await open(graphic(240, 180)).png().toBuffer()
  pictures['cutout.png'] = await open(cutout()).png().toBuffer()
  pictures['large.jpg'] = await open(photo(700, 500)).blur(1.2).jpeg({ quality: 97 }).toBuffer()
  pictures['large.png'] = await open(graphic(1300, 1000)).blur(2).png().toBuffer()
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="180"><rect width="240" height="180" fill="#eef"/>${[
    ...Array.from({ length: 12 }).keys(),
  ]
    .map(
      (at) =>
        `<circle cx="${at * 20}" cy="${at * 14}" r="${at * 3}" fill="none" stroke="#${at % 9}48" stroke-width="2.5"/>`,
    )
    .join('')}</svg>`
  pictures['drawing.png'] = await sharp(Buffer.from(text)).png().toBuffer()
})

async function workOn(name: string, operations: Operations): Promise<Work> {
  const source = pictures[name]!
  const type = name.endsWith('.jpg') ? 'image/jpeg' : name.endsWith('.webp') ? 'image/webp' : 'image/png'
  const job = {
    source,
    type,
    operations: resolveOperations(operations),
    limits: DEFAULT_LIMITS,
    file: undefined,
  } as const
  return (await runJob(job)).work!
}

function line(label: string, { encodes, probes, scores, samples, packs, pixels }: Work): string {
  const named = Object.entries(encodes).map(([type, count]) => `${type.replace('image/', '')} ${count}`)
  const cells = [
    label,
    `${probes}`,
    `${scores}`,
    `${samples}`,
    `${packs}`,
    (pixels / 1000).toFixed(0),
    named.join(', '),
  ]
  const widths = [36, 6, 6, 7, 6, 9, 0]
  return cells
    .map((cell, at) => (at === 0 || at === 6 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
    .join('  ')
}

describe('work of an image', () => {
  it('is what the table says', { timeout: 480_000 }, async () => {
    const lines = ['source       to        effort          probes  scores  samples   packs  kilopixels  encodes']
    for (const name of Object.keys(pictures).filter((each) => !each.startsWith('large'))) {
      for (const type of TYPES) {
        if (type === 'image/jpeg' && name === 'cutout.png') continue
        for (const effort of EFFORTS) {
          const work = await workOn(name, { effort, convert: { type } })
          lines.push(line(`${name.padEnd(13)}${type.replace('image/', '').padEnd(10)}${effort}`, work))
        }
      }
      lines.push(
        line(
          `${name.padEnd(13)}avif,webp default`,
          await workOn(name, { convert: { type: ['image/avif', 'image/webp'] } }),
        ),
      )
    }
    // The picture is large enough for searches to score a sample of the rows.
    for (const effort of EFFORTS) {
      for (const type of ['image/jpeg', 'image/webp'] as const) {
        const work = await workOn('large.jpg', { effort, convert: { type } })
        lines.push(line(`${'large.jpg'.padEnd(13)}${type.replace('image/', '').padEnd(10)}${effort}`, work))
      }
    }
    lines.push(line(`${'large.png'.padEnd(13)}${'png'.padEnd(10)}default`, await workOn('large.png', {})))
    await expect(`${lines.map((each) => each.trimEnd()).join('\n')}\n`).toMatchFileSnapshot(TABLE)
  })

  it('is counted for each of two that run at once', async () => {
    const alone = await workOn('photo.jpg', {})
    const [one, other] = await Promise.all([workOn('photo.jpg', {}), workOn('graphic.png', {})])
    const { milliseconds: _one, ...counts } = one
    const { milliseconds: _alone, ...countsAlone } = alone
    expect(counts).toEqual(countsAlone)
    expect(counts.encodes['image/jpeg']).toBeGreaterThan(0)
    expect(other.encodes['image/jpeg']).toBeUndefined()
  })

  it('names an SVG', async () => {
    const source = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><!-- a --><rect width="5" height="5"/></svg>')
    const job = {
      source,
      type: 'image/svg+xml',
      operations: resolveOperations({}),
      limits: DEFAULT_LIMITS,
      file: undefined,
    } as const
    expect((await runJob(job)).work).toMatchObject({ encodes: { 'image/svg+xml': 1 }, probes: 0, scores: 0, pixels: 0 })
  })
})

describe('counters', () => {
  it('begin anew with each job of a thread that has one at a time, also after one that failed', async () => {
    vi.resetModules()
    const own: typeof import('../../src/base/counters.ts') = await import('../../src/base/counters.ts')
    own.expectOneJobAtATime()
    const probe = async (): Promise<void> => {
      await Promise.resolve()
      own.countProbe()
    }
    expect((await own.countWork(probe)).work.probes).toBe(1)
    await expect(own.countWork(() => probe().then(() => Promise.reject(new Error('broken'))))).rejects.toThrow('broken')
    own.countProbe()
    expect((await own.countWork(probe)).work.probes).toBe(1)
  })

  it('add up what a job does, and its wait', async () => {
    const { result, work } = await countWork(async () => {
      countProbe()
      countScore(100, () => 80)
      countSample(25, () => 79)
      await countPack(async () => 'packed')
      expect(() =>
        timePhase('decode', () => {
          throw new Error('torn')
        }),
      ).toThrow('torn')
      await countEncode(
        async () => 'raw',
        () => undefined,
      )
      return countEncode(
        async () => 'encoded',
        () => ({ type: 'image/webp', pixels: 50 }),
      )
    })
    expect(result).toBe('encoded')
    expect(work).toMatchObject({
      encodes: { 'image/webp': 1 },
      probes: 1,
      scores: 1,
      samples: 1,
      packs: 1,
      pixels: 175,
    })
    expect(withWait(work, 12.34).milliseconds.wait).toBe(12.3)
  })

  it('of two jobs are added', () => {
    const milliseconds = {
      total: 3.1,
      wait: 0,
      decode: 1,
      quantise: 0,
      score: 0.1,
      pack: 0,
      encode: { 'image/png': 2 },
    }
    const one: Work = { encodes: { 'image/png': 2 }, probes: 1, scores: 2, packs: 1, pixels: 40, milliseconds }
    const encode = { 'image/png': 0.2, 'image/webp': 5 }
    const other = { ...one, encodes: { 'image/png': 1, 'image/webp': 4 }, milliseconds: { ...milliseconds, encode } }
    expect(addedWork(one, other)).toEqual({
      encodes: { 'image/png': 3, 'image/webp': 4 },
      probes: 2,
      scores: 4,
      packs: 2,
      pixels: 80,
      milliseconds: {
        total: 6.2,
        wait: 0,
        decode: 2,
        quantise: 0,
        score: 0.2,
        pack: 0,
        encode: { 'image/png': 2.2, 'image/webp': 5 },
      },
    })
  })

  it('count nothing outside of a job', async () => {
    countProbe()
    expect(countScore(1, () => 80)).toBe(80)
    expect(
      await countEncode(
        async () => 'encoded',
        () => ({ type: 'image/webp', pixels: 50 }),
      ),
    ).toBe('encoded')
  })
})
