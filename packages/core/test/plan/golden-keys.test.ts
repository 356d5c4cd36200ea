import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import type { Operations } from '../../src/operations/index.ts'
import { makePlan } from '../../src/plan/plan.ts'

/** An engine whose identity stays, so that these keys change with operations and with nothing else. */
const ENGINE = { identity: { engine: 1 }, accepts: () => true }

/** The first bytes of a file of each type: plans look no farther. */
const SOURCES = {
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  jpeg: Buffer.from('ffd8ffe00010', 'hex'),
  webp: Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'),
  gif: Buffer.from('GIF89a\x01\0\x01\0', 'latin1'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  avif: Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1', 'latin1'),
}

const OPERATIONS: Readonly<Record<string, Operations>> = {
  none: {},
  scale: { resize: { method: 'scale', width: 640 } },
  fit: { resize: { method: 'fit', width: 640, height: 480 } },
  cover: { resize: { method: 'cover', width: 64, height: 48, position: 'entropy' } },
  thumb: { resize: { method: 'thumb', width: 64, height: 64 } },
  contain: { resize: { method: 'contain', width: 64, height: 64, background: '#fff8' } },
  fill: { resize: { method: 'fill', width: 64, height: 64, enlarge: true, kernel: 'nearest' } },
  convert: { convert: { type: 'image/webp' } },
  list: { convert: { type: ['image/webp', 'image/avif'] } },
  any: { convert: { type: '*/*' } },
  flatten: { transform: { background: 'rebeccapurple' }, convert: { type: 'image/jpeg' } },
  preserve: { preserve: ['location', 'copyright'] },
  level: { quality: 'small' },
  score: { quality: 77.5 },
  bytes: { maxBytes: 30_000 },
  fast: { effort: 'fast' },
  lossless: { lossless: true },
  encoder: { encoder: { webp: { quality: 70 }, 'image/jpeg': { quality: 60 } } },
  svgo: { svgo: { multipass: true } },
  adjust: { adjust: { rotate: 370, blur: true, saturation: 1.5, tint: 'red', median: true } },
  tilted: {
    adjust: {
      rotate: 30,
      background: '#0f08',
      flip: true,
      flop: false,
      invert: true,
      normalize: true,
      grayscale: true,
    },
  },
  several: {
    quality: 'balanced',
    convert: { type: ['image/png', 'image/jpeg', 'image/jxl'] },
    resize: { method: 'scale', height: 10 },
    preserve: ['creation'],
    adjust: { flop: true, hue: -30, brightness: 1 },
    maxBytes: 1000,
    effort: 'max',
    transform: { background: '#abc' },
  },
}

/** Twelve digits of the key of each operation, by the order of `OPERATIONS`, in the order of `SOURCES`. */
function keysOf(operations: Operations): string[] {
  return Object.values(SOURCES).map((source) =>
    makePlan(new Uint8Array(source), operations, { limits: DEFAULT_LIMITS, engine: ENGINE }).key.slice(0, 12),
  )
}

describe('cache keys', () => {
  it('stay as they are whatever is moved: users keep the results that they have', () => {
    expect(
      Object.fromEntries(Object.entries(OPERATIONS).map(([name, each]) => [name, keysOf(each).join(' ')])),
    ).toMatchInlineSnapshot()
  })

  it('hash the operations and the engine, a zero byte, and the digest of the source', () => {
    const { key, operations } = makePlan(new Uint8Array(SOURCES.png), {}, { limits: DEFAULT_LIMITS, engine: ENGINE })
    const text = `${JSON.stringify([ENGINE.identity, operations])}\0`
    const digest = createHash('sha256').update(SOURCES.png).digest('hex')
    expect(key).toBe(createHash('sha256').update(text).update(digest).digest('hex'))
  })
})
