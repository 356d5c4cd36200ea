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
    makePlan(new Uint8Array(source), operations, DEFAULT_LIMITS, undefined, ENGINE).key.slice(0, 12),
  )
}

describe('cache keys', () => {
  it('stay as they are whatever is moved: users keep the results that they have', () => {
    expect(Object.fromEntries(Object.entries(OPERATIONS).map(([name, each]) => [name, keysOf(each).join(' ')])))
      .toMatchInlineSnapshot(`
        {
          "adjust": "55955c2e1705 cb1857d20e4b dea28a1ba85b 689027ac92a0 fd59415abc07 40968b6f258a",
          "any": "af5d925bc0ae fb2c3e63fbd8 a8819ce53260 b5f8201857fa b4cb827f79ff 83196fd708f6",
          "bytes": "dd6e1faddaa1 ff03a9b8ea43 b906a9164f01 e223a22f45fc 9b101e52b864 778100d059f9",
          "contain": "2054bee5cdf6 b9da7ada10d5 66b85ab2d639 10fcefa3d550 04f3428b3a0e 7bbc8f98fe0f",
          "convert": "04d7e474be0b 027a6ccfcc17 50b503aa8d35 5a3d93cf42c4 bef7b447174c b43cb20ffd04",
          "cover": "3e4a36670c64 84eb7a037b18 30938da5c8c7 d95f29820d03 d26892792241 6824e4d99263",
          "encoder": "d55c5b0b9ff2 fb1ea8fdc0c8 897eeffbb078 2e774e940b4b 5320218ef609 17874fc58a29",
          "fast": "0931b4dba0a3 d9aafb1047e2 4426e8de1824 26933c3831ca 1575ede3ec34 fe96ea515a42",
          "fill": "6620422cc689 30565e8f1fd2 a62380d1ccbf 9eed2211883e d18bc821749d 32508a9126cd",
          "fit": "303402f499f7 d2938daeaa39 234908d1bfb3 06c91b52475f 751455d0eef0 7a502fd64fcf",
          "flatten": "6cf101a37f84 1859d8eae36f a5960f989da7 7987835fcadd 7e74d52e1b84 5eb88ee3cefc",
          "level": "ad310f2cc132 137824f3de7a 4039ded3beec 0caab05e0c72 636c3d64aa24 6f23ab40b5a8",
          "list": "94420be7dd41 98b1e3d18aa4 fc023cddbfda 457a927ad6b6 63a70cad61e9 fbed9e5fa66c",
          "lossless": "f6532120b545 0648403936cb ea9ae083092b fbc70f63f8cb 5526fd26293c 78e0e833dff6",
          "none": "fd3c074d3f42 b3bc0e8349a3 f79097843cd9 27f9c3ee0d59 d35bb79a9c56 dc173d661b23",
          "preserve": "9da4eb7cd6f8 d68fb3485899 263b485252e4 a7b612bc1554 b0303577b44d 6f5bc8a61301",
          "scale": "ca8c4758622e fcb2d5854400 2bde8008b650 5e995639c333 0e302dbbdd14 8f9b78c029d0",
          "score": "b8742e908312 27ffb818829e a9655b04d0ea 321bc697522e dcfa77cb5c60 6bdc09712f37",
          "several": "4e81d7127e80 59986d9f5df8 adc79bc4216e dd7bfba576ea 65fce21f7a29 7fb8db406d12",
          "svgo": "fd3c074d3f42 b3bc0e8349a3 f79097843cd9 27f9c3ee0d59 88526e788ccf dc173d661b23",
          "thumb": "ec2a7cd4d234 737477b25461 ad14904f5847 4d68b9eff9fc 81b4191be3e2 4296690cd1b2",
          "tilted": "f712e80b3185 8a7ba4a683ba 91fdef1cd11f d6813c03ea10 bb95d6cb0793 770bcebbadaf",
        }
      `)
  })

  it('hash the operations and the engine before the source, with a zero byte between them', () => {
    const { key, operations } = makePlan(new Uint8Array(SOURCES.png), {}, DEFAULT_LIMITS, undefined, ENGINE)
    const text = `${JSON.stringify([ENGINE.identity, operations])}\0`
    expect(key).toBe(createHash('sha256').update(text).update(SOURCES.png).digest('hex'))
  })
})
