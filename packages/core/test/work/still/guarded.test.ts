import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../../src/index.ts'
import { createGuards, violations } from '../../../src/quality/guards/index.ts'
import type { GuardName, ResultKind } from '../../../src/quality/guards/index.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { holdToGuards } from '../../../src/work/still/guarded.ts'
import type { Candidate, Scorer } from '../../../src/encoding/request.ts'
import type { ImageType } from '../../../src/base/types.ts'
import { photo } from '../../images.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/guards')
const PROMISE = 80

/** Judges by the first byte: the promise that the bytes keep by the guards. */
function judge(): Scorer & { asked: number } {
  return {
    asked: 0,
    score: async () => 100,
    ofPart: () => expect.unreachable('no part is scored'),
    scorePixels: () => 100,
    areTrialsSampled: false,
    sample: async () => 100,
    samplePixels: () => 100,
    scoreAndSample: () => ({ whole: 100, sampled: 100 }),
    judgePixels: (_data, _kind, score) => ({ kept: 100, score }),
    async promiseKeptBy([kept], _, score, promise = PROMISE) {
      this.asked++
      return { kept: kept!, score, ...(kept! < promise && { refusal: { guard: 'means', x: kept!, y: 0, share: 2 } }) }
    },
    dispose() {},
  }
}

/** Bytes that keep a promise, with those that come after them when they are raised. */
function candidate(kept: number, bytes: number, after: readonly number[] = []): Candidate {
  const data = new Uint8Array(bytes).fill(kept)
  const [next, ...others] = after
  const raise = async () => (next === undefined ? undefined : candidate(next, bytes + 10, others))
  return { data, type: 'image/webp', score: PROMISE + 1, kind: 'block', raise }
}

const smallest = (all: readonly Candidate[]): Candidate | undefined =>
  all.filter((each) => each.damaged !== true).toSorted((a, b) => a.data.length - b.data.length)[0]

/** A result that was refused, the one it is raised to, and the one between them. */
function jumping(points: number, between: Candidate): Candidate {
  const better: Candidate = { ...candidate(90, 140), score: PROMISE + 1 + points, halfway: async () => between }
  return { ...candidate(60, 100), raise: async () => better }
}
const held = (first: Candidate, stepsBack: boolean): Promise<readonly Candidate[]> =>
  holdToGuards([first], { choose: smallest, scorer: judge(), promise: PROMISE, stepsBack })

describe('the result that is chosen', () => {
  it('is half-way back to what was refused where the raised one takes too many bytes', async () => {
    const rival: Candidate = { data: new Uint8Array(130), type: 'image/webp', score: 100 }
    const all = (stepsBack: boolean) =>
      holdToGuards([jumping(3, candidate(85, 120)), rival], {
        choose: smallest,
        scorer: judge(),
        promise: PROMISE,
        stepsBack,
      })
    expect(smallest(await all(true))?.data.length).toBe(120)
    expect(smallest(await all(false))?.data.length).toBe(130)
  })

  it('is measured alone where it passes', async () => {
    const scorer = judge()
    const all = [candidate(90, 100), candidate(10, 200)]
    expect(await holdToGuards(all, { choose: smallest, scorer, promise: PROMISE })).toEqual(all)
    expect(scorer.asked).toBe(1)
  })

  it('is made again until it passes', async () => {
    const scorer = judge()
    const all = await holdToGuards([candidate(60, 100, [70, 85, 95])], { choose: smallest, scorer, promise: PROMISE })
    expect(smallest(all)?.data[0]).toBe(85)
    expect(scorer.asked).toBe(3)
    expect(all.filter(({ damaged }) => damaged).map(({ data }) => data[0])).toEqual([60, 70])
  })

  it('leaves behind which guard refused what, and where', async () => {
    const all = await holdToGuards([candidate(60, 100, [85])], {
      choose: smallest,
      scorer: judge(),
      promise: PROMISE,
    })
    expect(all.map(({ refusal }) => refusal)).toEqual([{ guard: 'means', x: 60, y: 0, share: 2 }, undefined])
  })

  it('is the one half-way back to what was refused after a long raise, where that passes and is smaller', async () => {
    expect(smallest(await held(jumping(3, candidate(85, 120)), true))?.data.length).toBe(120)
    expect(smallest(await held(jumping(3, candidate(70, 120)), true))?.data.length).toBe(140)
    expect(smallest(await held(jumping(3, candidate(85, 141)), true))?.data.length).toBe(140)
  })

  it('is not looked for half-way after a short raise, or with little effort', async () => {
    expect(smallest(await held(jumping(1.5, candidate(85, 120)), true))?.data.length).toBe(140)
    expect(smallest(await held(jumping(3, candidate(85, 120)), false))?.data.length).toBe(140)
  })

  it('is what was left out for one that is refused', async () => {
    const lossless: Candidate = { data: new Uint8Array(130), type: 'image/jpeg', score: 100 }
    let asked = 0
    const instead = async (): Promise<Candidate> => (asked++, lossless)
    expect(smallest(await held({ ...candidate(60, 100), instead }, true))).toBe(lossless)
    expect(asked).toBe(1)
    await held({ ...candidate(90, 100), instead }, true)
    expect(asked).toBe(1)
  })

  it('is compared with untried types only where its better version is that much larger', async () => {
    let asked = 0
    const untried = async (): Promise<readonly Candidate[]> => (asked++, [])
    const judging = { choose: smallest, scorer: judge(), promise: PROMISE, untried, untriedFrom: 1.25 }
    await holdToGuards([candidate(60, 100, [90])], judging)
    expect(asked).toBe(0)
    await holdToGuards([candidate(60, 100, [60, 60, 60, 60, 90])], judging)
    expect(asked).toBe(1)
    await holdToGuards([candidate(60, 100)], judging)
    expect(asked).toBe(2)
  })

  it('is made again past results below the promise', async () => {
    const better = candidate(90, 130)
    const low: Candidate = { ...candidate(0, 110), score: PROMISE - 2, raise: async () => better }
    const first: Candidate = { ...candidate(60, 100), raise: async () => low }
    const all = await holdToGuards([first], { choose: smallest, scorer: judge(), promise: PROMISE })
    expect(smallest(all)).toBe(better)
  })

  it('is another one where that is smaller by then', async () => {
    const other: Candidate = { data: new Uint8Array(105), type: 'image/png', score: 100 }
    const scorer = judge()
    const all = await holdToGuards([candidate(60, 100, [70, 85]), other], {
      choose: smallest,
      scorer,
      promise: PROMISE,
    })
    expect(smallest(all)).toBe(other)
    expect(scorer.asked).toBe(1)
  })

  it('is of a type that was left out where that is smaller than the best one made better', async () => {
    const other = candidate(90, 105)
    let asked = 0
    const untried = async () => (asked++, [other])
    const judging = { choose: smallest, scorer: judge(), promise: PROMISE, untried }
    expect(smallest(await holdToGuards([candidate(60, 100, [70, 85])], judging))).toBe(other)
    expect(asked).toBe(1)
    await holdToGuards([candidate(90, 100)], judging)
    expect(asked).toBe(1)
  })

  it('is measured as it was scored, without what says what its colours mean', async () => {
    const tagged = { ...candidate(10, 100), scored: Uint8Array.of(90) }
    const [only] = await holdToGuards([tagged], { choose: smallest, scorer: judge(), promise: PROMISE })
    expect(only?.damaged).toBeUndefined()
  })

  it('needs no guard where it is below the promise, or written with settings of the caller', async () => {
    const scorer = judge()
    const { kind, ...plain } = candidate(10, 100)
    for (const each of [{ ...candidate(10, 100), score: PROMISE - 1 }, plain]) {
      await holdToGuards([each], { choose: ([first]) => first, scorer, promise: PROMISE })
    }
    expect([scorer.asked, kind]).toEqual([0, 'block'])
  })
})

/** Coloured letters and bars on a page, which halved chroma and low settings smear. */
function drawing(): Promise<Buffer> {
  const letters = Array.from({ length: 12 }, (_, line) => {
    const colour = ['#d00', '#06c', '#080', '#a0a'][line % 4]!
    return `<text x="8" y="${24 + 18 * line}" font-family="DejaVu Sans" font-size="13" fill="${colour}">Quality ${line} of pictures</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="240"><rect width="260" height="240" fill="#fff"/>${letters.join('')}<path d="M200 20 L250 200" stroke="#e33" stroke-width="1"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

async function decode(file: Uint8Array): Promise<Pixels> {
  const opened = sharp(file).toColourspace('srgb').ensureAlpha()
  const { data, info } = await opened.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data: Uint8Array.from(data), width: info.width, height: info.height, channels: 4 }
}

async function broken(
  before: Uint8Array,
  after: Uint8Array,
  kind: ResultKind = 'block',
): Promise<readonly GuardName[]> {
  const guards = createGuards(await decode(before))
  try {
    return violations(guards.measure(await decode(after), kind), PROMISE, kind)
  } finally {
    guards.dispose()
  }
}

describe.each(['image/jpeg', 'image/webp', 'image/avif'] as const satisfies readonly ImageType[])('%s', (type) => {
  it('keeps the guards of a drawing', async () => {
    const source = await drawing()
    const { data, notes } = await optimize(source, { quality: PROMISE, convert: { type } })
    expect(await broken(source, data)).toEqual([])
    expect(notes.join()).not.toMatch(/small details/)
  })

  it('keeps those of a photograph', async () => {
    const { data: pixels, ...raw } = photo(320, 240)
    const source = await sharp(pixels, { raw }).png().toBuffer()
    const { data } = await optimize(source, { quality: PROMISE, convert: { type } })
    expect(await broken(source, data)).toEqual([])
  })
})

it.each(['layers.png', 'announcement-24.png', 'backpack-24.png'])(
  'a cut-out keeps alpha 0 and 255 in WebP, and nearly so in AVIF: %s',
  async (name) => {
    const source = await readFile(path.join(FIXTURES, name))
    for (const [type, kind] of [
      ['image/webp', 'palette'],
      ['image/avif', 'block'],
    ] as const) {
      const { data } = await optimize(source, { quality: 60, convert: { type } })
      expect(await broken(source, data, kind)).not.toContain('alpha')
    }
  },
)
