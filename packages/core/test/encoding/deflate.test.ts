import { readFile } from 'node:fs/promises'
import { deflateSync, inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { deflate } from '../../src/encoding/deflate.ts'
import { createNearLossless } from '../../src/encoding/near-lossless.ts'
import { averageRows } from '../../src/encoding/truecolour-png.ts'

const CHUNK = 4 * 65_535
const WINDOW = 32_768

function random(length: number, of: (number: number) => number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return of(state >>> 8)
  })
}

const noise = (length: number): Uint8Array => random(length, (number) => number & 255)

const fewValues = (length: number): Uint8Array => random(length, (number) => 100 + (number & 3))

const CASES: Readonly<Record<string, () => Uint8Array>> = {
  'no bytes': () => new Uint8Array(0),
  'one byte': () => Uint8Array.of(7),
  'two equal bytes': () => Uint8Array.of(7, 7),
  'three million zeros': () => new Uint8Array(3_000_000),
  noise: () => noise(700_001),
  'a chunk of noise': () => noise(CHUNK),
  'a byte more than a chunk': () => random(CHUNK + 1, (number) => number & 3),
  'what repeats over the ends of chunks': () =>
    random(1_500_000, (number) => [0, 0, 0, 12, 0, 244, 0, 24][number & 7]!),
  'noise between what repeats': () => {
    const bytes = noise(900_000)
    for (let at = 0; at < bytes.length; at += 200_000) bytes.fill(9, at, at + 90_000)
    return bytes
  },
  'what repeats as far back as may be': () => {
    const block = noise(WINDOW)
    return Buffer.concat([block, block, block])
  },
  'what repeats further back': () => {
    const block = noise(WINDOW + 1)
    return Buffer.concat([block, block])
  },
  text: () => Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at} of ${at % 977}`).join('\n')),
}

/** Near-lossless rows of a photograph, and the indices of a drawing. */
async function rowsOf(name: string): Promise<Uint8Array> {
  const source = await readFile(new URL(`../quality/metric/fixtures/${name}`, import.meta.url))
  const opened = sharp(source).removeAlpha()
  const image = name === 'docs.png' ? opened.greyscale() : opened
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  if (name === 'docs.png') return data.map((level) => level >> 4)
  const samples = { data, width: info.width, height: info.height, channels: 3 } as const
  const engine = createNearLossless(samples)!
  const rows = averageRows({ ...samples, data: engine.write(12) })
  engine.dispose()
  return rows
}

describe.each(['quick', 'thorough'] as const)('deflate, %s,', (packing) => {
  it.each(Object.keys(CASES))('gives %s back, in no more bytes than stored', (name) => {
    const data = CASES[name]!()
    const packed = deflate(data, packing)
    expect(Buffer.compare(inflateSync(packed), data)).toBe(0)
    expect(packed.length).toBeLessThanOrEqual(data.length + 5 * Math.max(1, Math.ceil(data.length / 65_535)) + 6)
  })

  it.each(Object.keys(CASES))('writes the same bytes of %s without SIMD', (name) => {
    const data = CASES[name]!()
    expect(Buffer.compare(deflate(data, packing, 'plain'), deflate(data, packing, 'simd'))).toBe(0)
  })

  it('finds what repeats at the distance that a window allows, and no further', () => {
    const [near, far] = [WINDOW, WINDOW + 1].map((distance) => {
      const block = noise(distance)
      return deflate(Buffer.concat([block, block]), packing).length - distance
    })
    expect(near).toBeLessThan(WINDOW / 50)
    expect(far).toBeGreaterThan(WINDOW - 50)
  })

  it('gives the same bytes whatever came before', () => {
    const text = CASES['text']!()
    const first = deflate(text, packing)
    deflate(noise(100_000), packing)
    expect(Buffer.compare(deflate(text, packing), first)).toBe(0)
  })
})

it.each([
  ['coffee.png', 1.01, 0.99],
  ['chelsea.png', 1.01, 0.99],
  ['docs.png', 1.07, 0.98],
] as const)(
  'deflate takes, of rows of %s, quickly at most %f and thoroughly %f of zlib’s best',
  async (name, quick, thorough) => {
    const rows = await rowsOf(name)
    const best = deflateSync(rows, { level: 9, memLevel: 9 }).length
    expect(deflate(rows, 'quick').length / best).toBeLessThan(quick)
    expect(deflate(rows, 'thorough').length / best).toBeLessThan(thorough)
  },
)

describe('a stream', () => {
  it('has the same bytes whatever was compressed before it', () => {
    // The last seven bytes and a zero behind them stand far back, and less of them nearby.
    const far = [1, 2, 3, 0, 0, 0, 0, 0]
    const data = Buffer.concat([fewValues(500), Buffer.from(far), fewValues(900), Buffer.from([1, 2, 3, 0, 9])])
    const stream = Buffer.concat([data, fewValues(700), Buffer.from(far.slice(0, 7))])
    const [afterZeros, afterNoise] = [new Uint8Array(9000), noise(9000)].map((other) => {
      deflate(other, 'quick')
      return Buffer.from(deflate(stream, 'quick'))
    })
    expect(afterNoise!.equals(afterZeros!)).toBe(true)
  })
})
