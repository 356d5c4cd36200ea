import { describe, expect, it } from 'vitest'
import {
  acquireInstance,
  type Build,
  DISTORTED,
  MetricInstance,
  fastestBuild,
  OPAQUE,
  ORIGINAL,
  prepareInstance,
  releaseInstance,
} from '../../../src/quality/metric/instance.ts'
import { metricBytes, type Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { changed, fixture, noisy, randomPixels } from './distortions.ts'

/** The sums of one comparison, their bytes; with `isCompared` what is alike is skipped. */
function sumsOf(
  [original, distorted]: readonly [Pixels, Pixels],
  isCompared: boolean,
  {
    build = 'simd',
    strips = false,
    background = OPAQUE,
    instances = 1,
  }: { build?: Build; strips?: boolean; background?: number; instances?: number } = {},
): string {
  const { width, height, channels } = original
  const form = { channels, background }
  const instance = new MetricInstance(build)
  expect(instance.prepare(width, height, strips ? 'strips' : 'all', instances)).toBe(true)
  const rows = ({ data }: Pixels, y: number): Uint8Array =>
    data.subarray(y * width * channels, (y + instance.batchRows) * width * channels)
  const batches = Array.from(
    { length: Math.ceil(height / instance.batchRows) },
    (_, batch) => batch * instance.batchRows,
  )
  const pushOriginal = (y: number): void => instance.push(ORIGINAL, rows(original, y), form)
  instance.start(ORIGINAL)
  instance.start(DISTORTED)
  if (!strips) batches.forEach(pushOriginal)
  for (const y of batches) {
    if (strips) pushOriginal(y)
    instance.push(DISTORTED, rows(distorted, y), isCompared ? { ...form, original: rows(original, y) } : form)
  }
  return Buffer.from(instance.sums().buffer).toString('hex')
}

describe('MetricInstance', () => {
  it('has the fast build where this test runs', () => {
    expect(fastestBuild()).toBe('simd')
  })

  it('takes exactly the memory that metricBytes announces', () => {
    for (const [width, height] of [
      [8, 8],
      [641, 480],
      [1500, 1111],
    ] as const) {
      const instance = new MetricInstance('simd')
      expect(instance.prepare(width, height, 'all')).toBe(true)
      expect(instance.bytes).toBe(metricBytes(width, height))
      const strips = new MetricInstance('plain')
      expect(strips.prepare(width, height, 'strips')).toBe(true)
      expect(strips.bytes).toBe(metricBytes(width, height, false, 0))
    }
  })

  it('keeps the pixels of an original where all of its instances can be kept', () => {
    const instance = new MetricInstance('simd')
    const pixels = 1000 * 1000
    const kept = instance.measure(1000, 1000, 'all')
    expect(instance.measure(1000, 1000, 'all', 2)).toBe(kept)
    expect((kept - instance.measure(1000, 1000, 'all', 3)) / pixels).toBeCloseTo(4, 0)
    expect(instance.measure(2000, 2000, 'all')).toBe(instance.measure(2000, 2000, 'all', 3))
  })

  it('says that planes beyond 4 GiB do not fit', () => {
    const instance = new MetricInstance('simd')
    expect(instance.prepare(20_000, 20_000, 'all')).toBe(false)
    expect(instance.measure(20_000, 20_000, 'all')).toBeGreaterThan(8e9)
  })

  it('turns to strips where planes do not fit', () => {
    const { instance, held } = prepareInstance('simd', { width: 20_000, height: 20_000 }, 'all')
    expect(held).toBe('strips')
    expect(instance.bytes).toBeLessThan(100e6)
  })
})

describe('skipping what is alike', () => {
  const SIZES = [
    [8, 8],
    [37, 41],
    [131, 97],
    [257, 70],
    [300, 333],
  ] as const

  it.each(SIZES)('changes no bit of the sums of one pixel at %i × %i', (width, height) => {
    const original = randomPixels(width, height, 3, 1)
    // Corners, and both sides of the borders of cells, blocks and batches.
    const columns = [0, 3, 4, 31, 32, 127, 128, width - 1].filter((x) => x < width)
    const lines = [0, 7, 31, 32, 63, height - 1].filter((y) => y < height)
    for (const x of columns) {
      for (const y of lines) {
        const pair = [original, changed(original, [x, y, x + 1, y + 1])] as const
        expect(sumsOf(pair, true), `${x}, ${y}`).toBe(sumsOf(pair, false))
      }
    }
  })

  it.each([false, true])('changes no bit of the sums of real pictures, in strips: %s', async (strips) => {
    for (const file of ['coffee.png', 'docs.png']) {
      const original = await fixture(file)
      const { width, height } = original
      const middle = changed(original, [60, 50, 150, 60], [64, 90, 65, height], [200, 0, width, 9])
      for (const distorted of [middle, changed(original, [0, 40, width, 44]), noisy(original), original]) {
        for (const build of ['simd', 'plain'] as const) {
          const pair = [original, distorted] as const
          expect(sumsOf(pair, true, { build, strips })).toBe(sumsOf(pair, false, { build, strips }))
        }
      }
    }
  })

  it('changes no bit where the original is kept, or too large for that', async () => {
    const original = await fixture('docs.png')
    const clear = randomPixels(150, 99, 4, 7)
    for (const build of ['simd', 'plain'] as const) {
      for (const pair of [
        [original, noisy(original)],
        [original, changed(original, [0, 40, original.width, 44])],
        [clear, changed(clear, [20, 20, 40, 40])],
      ] as const) {
        const kept = sumsOf(pair, true, { build })
        expect(sumsOf(pair, true, { build, instances: 1000 })).toBe(kept)
        expect(sumsOf(pair, true, { build, strips: true })).toBe(kept)
      }
    }
  })

  it('takes clear pixels for alike, whatever their colours, and no others', () => {
    const original = randomPixels(150, 99, 4, 7)
    for (let i = 3; i < original.data.length; i += 4) if (i % 5 > 1) original.data[i] = 0
    const clear = changed(original, [0, 0, 150, 99])
    for (let i = 3; i < clear.data.length; i += 4) {
      if (original.data[i]! > 0) clear.data.set(original.data.subarray(i - 3, i), i - 3)
    }
    const some = changed(original, [20, 20, 40, 40])
    some.data[4 * (150 * 70 + 70) + 3]! ^= 255
    for (const background of [0, 255, OPAQUE]) {
      for (const distorted of [clear, some]) {
        const pair = [original, distorted] as const
        expect(sumsOf(pair, true, { background })).toBe(sumsOf(pair, false, { background }))
      }
    }
    expect(sumsOf([original, clear], true, { background: 0 })).toMatch(/^0+$/)
    expect(sumsOf([original, some], true, { background: 0 })).not.toMatch(/^0+$/)
  })
})

describe('the instances kept', () => {
  it('are reused when small and dropped when large', () => {
    const taken = [acquireInstance('simd'), acquireInstance('simd'), acquireInstance('simd')] as const
    expect(taken[0].prepare(64, 64, 'all')).toBe(true)
    expect(taken[1].prepare(2000, 2000, 'all')).toBe(true)
    releaseInstance(taken[0])
    releaseInstance(taken[1])
    releaseInstance(taken[2])
    // Other tests of this thread may have left instances, of which the smaller ones come first.
    const again = new Set(Array.from({ length: 20 }, () => acquireInstance('simd')))
    expect(taken.map((each) => again.has(each))).toEqual([true, false, true])
  })
})
