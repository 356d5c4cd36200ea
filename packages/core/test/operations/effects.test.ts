import { photoInHdr } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { ADJUSTMENTS } from '../../src/operations/adjust.ts'
import type { Adjustments } from '../../src/operations/adjust.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operations } from '../../src/operations/index.ts'
import { cutout, open, photo } from '../images.ts'

const optimizer = createOptimizer({ concurrency: 2 })
afterAll(() => optimizer.close())

interface Effect {
  /** The picture, by its name in `sources`. */
  readonly of: 'photo' | 'cutout' | 'credited' | 'drawing' | 'hdr'
  readonly set: Operations
  /** Operations that both have. Default: none. */
  readonly beside?: Operations
}

/** An example of each operation whose result is another one than without it. */
const EFFECTS: { readonly [Key in Exclude<keyof Operations, 'adjust'>]-?: Effect } = {
  resize: { of: 'photo', set: { resize: { method: 'scale', width: 20 } } },
  convert: { of: 'photo', set: { convert: { type: 'image/webp' } } },
  transform: { of: 'cutout', set: { transform: { background: '#f00' } } },
  preserve: { of: 'credited', set: { preserve: ['copyright'] } },
  quality: { of: 'photo', set: { quality: 30 } },
  maxBytes: { of: 'photo', set: { maxBytes: 700 } },
  effort: { of: 'photo', set: { effort: 'fast' }, beside: { convert: { type: 'image/webp' } } },
  encoder: {
    of: 'photo',
    set: { encoder: { 'image/webp': { quality: 5 } } },
    beside: { convert: { type: 'image/webp' } },
  },
  gainMap: { of: 'hdr', set: { gainMap: false } },
  maxWidth: { of: 'photo', set: { maxWidth: 20 } },
  svgo: { of: 'drawing', set: { svgo: { plugins: [] } } },
  keepElements: { of: 'drawing', set: { keepElements: true } },
  lossless: { of: 'photo', set: { lossless: true }, beside: { convert: { type: 'image/webp' } } },
}

/** The same of each adjustment, on a picture that is resized, so that all get the same pixels. */
const ADJUSTED: { readonly [Key in keyof Adjustments]-?: Adjustments } = {
  rotate: { rotate: 90 },
  flip: { flip: true },
  flop: { flop: true },
  tint: { tint: '#00f' },
  hue: { hue: 90 },
  saturation: { saturation: 3 },
  brightness: { brightness: 0.5 },
  blur: { blur: 4 },
  median: { median: 5 },
  normalize: { normalize: true },
  grayscale: { grayscale: true },
  invert: { invert: true },
  background: { rotate: 30, background: '#0f0' },
}

const sources: Record<string, Buffer> = {}
beforeAll(async () => {
  sources.photo = await open(photo(80, 60)).png().toBuffer()
  sources.cutout = await open(cutout(60, 60)).png().toBuffer()
  sources.credited = await open(photo(80, 60))
    .withExif({ IFD0: { Copyright: 'Ada' } })
    .jpeg({ quality: 97 })
    .toBuffer()
  sources.hdr = await photoInHdr(80, 60)
  sources.drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><!-- drawn --><rect  width="10.00000" height="5"/></svg>',
  )
})

/** The bytes of a result. */
async function made(of: string, operations: Operations): Promise<Buffer> {
  const { data } = await optimizer.optimize(sources[of]!, operations)
  return Buffer.from(data)
}

describe('each operation', () => {
  it('has an example here of what it changes', () => {
    expect([...Object.keys(EFFECTS), 'adjust'].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
    expect(Object.keys(ADJUSTED).toSorted()).toEqual([...Object.keys(ADJUSTMENTS), 'background'].toSorted())
  })

  it.each(Object.entries(EFFECTS))('%s changes the bytes of a result', async (_, { of, set, beside = {} }) => {
    expect((await made(of, { ...beside, ...set })).equals(await made(of, beside))).toBe(false)
  })

  it.each(Object.entries(ADJUSTED))('adjust.%s changes the pixels of a result', async (name, adjust) => {
    const size = { resize: { method: 'scale', width: 40 }, lossless: true } as const
    const { [name as keyof Adjustments]: _, ...others } = adjust
    const [before, after] = [await made('photo', { ...size, adjust: others }), await made('photo', { ...size, adjust })]
    expect(after.equals(before)).toBe(false)
  })
})
