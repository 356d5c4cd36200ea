import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import type { Operations } from '../../src/operations/index.ts'
import { makePlan } from '../../src/plan/plan.ts'

/** An engine with a fixed identity, so that only the operations change these keys. */
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
  one: { convert: { type: ['image/webp'] } },
  scaledOne: { convert: { type: ['image/webp'] }, resize: { method: 'scale', width: 640 } },
  scaledList: { convert: { type: ['image/webp', 'image/avif'] }, resize: { method: 'scale', width: 640 } },
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
  elements: { keepElements: true },
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
    expect(Object.fromEntries(Object.entries(OPERATIONS).map(([name, each]) => [name, keysOf(each).join(' ')])))
      .toMatchInlineSnapshot(`
        {
          "adjust": "ee4fbe0c5883 e93f3b0a40ba dae0d1746b15 778520283d1e c5a6611b4aee 4d9e06ef9a31",
          "any": "eedcc7dda72a d996cfcfba63 dd4aa4ceab39 9afba1e8428f 5307a0e98846 8ed09892eefb",
          "bytes": "77390d569d86 dca4925d1721 c88cc116271c e9a16a52764f d5ea33e73df7 cf241f61b559",
          "contain": "05da0a86c484 6b8e3fad5cee bead4253620c d75ebabe6394 1e70ba664a65 14aac756c7ed",
          "convert": "b51e6f5c9d78 4df394a7173e 7a985b63d2f1 08cb790eff75 6e234cd20cc5 5d9285abd860",
          "cover": "1bf124c6d583 f4484a973834 19a25ed7f13f 3361571886a8 fb5a791b8274 6e12d089c844",
          "elements": "a17b043f2d9e f224469804d2 876bfee23bcb 778d8e0f33f4 18d275e46348 590da8f516e9",
          "encoder": "25fd1e51e817 16179f543489 7bfcb08fdc62 0ef4394023f8 5e0e851fa6a4 50491d53e65c",
          "fast": "54aa5768f9bd 98764f38f55a d27ced1da862 3b1471c09773 985c35f8755b 5f0855ef0a28",
          "fill": "647ff9d83b59 fb9760928fca 0dbd98dd097a 6d834147da9f 80a538cdfb07 0b831717aeed",
          "fit": "65db81b41ff5 716998069e27 3ac7c10c9b70 698991b72135 2b6b8c396f09 1631c2735426",
          "flatten": "b5f70868bc30 01597881bebe 5d880e30b832 0f8162df7b40 df43f75b359b 3d9d5e7abcc2",
          "level": "c807cc5938bf 575f1ca84bc1 4cc5705f942a e8d19452f4ee 33f903d98abc e0a0facfa193",
          "list": "b6af782308e9 72afd15d9116 09ef53acf727 8a10ec30992f 827d42e1212d a36567cb2fc6",
          "lossless": "604e44bdf3ae 8e95009d2537 15179132d8ea fccb6cdab780 034f9e01d86f 81a9cf8ef7ef",
          "none": "a17b043f2d9e f224469804d2 876bfee23bcb 778d8e0f33f4 fc609bba6ad7 590da8f516e9",
          "one": "9946b12b0597 3cb2f199e5ef a10033f1f4ce d454f6bd9aae e36451a48076 b74053c314e0",
          "preserve": "f75b53a29041 7716c2d76264 76957d368173 6baf1488827f e2fe99568195 8c875b8e9105",
          "scale": "420c74986f72 3537fd8a46b2 188be48fb0a0 026b36202276 7bab2efa9bf6 29c882d3b71f",
          "scaledList": "b2ee9b386811 ec3d4f0867f0 32cb2c0c25fe 62faf00dbc4d d64b2e52e646 8362cec67231",
          "scaledOne": "5ff8f0aa8734 7708a8861da1 29a55f4f7402 48b29806957b 6ffd5d1c9d51 8bd770c37863",
          "score": "49f03dd42d2c a893b0a27191 729d26fafb6c a4d1f3e99561 97ee6c199ae4 17d6cb583ab7",
          "several": "c5393da728e2 47e5f40f511a 7550ce1d0ca0 4fea23bcf4a3 3c91b0234bcf 1f5336b8826f",
          "svgo": "a17b043f2d9e f224469804d2 876bfee23bcb 778d8e0f33f4 1b7ef3ed8ffb 590da8f516e9",
          "thumb": "493bd88fe916 ba2505db7568 ff48c3ce9d31 c1ee9b29d2b5 1e86f78b022a bd3851ed35ea",
          "tilted": "34bb0831955f 8018806e09f1 82f5be202334 85a2646cd988 b28ca3cd932b 68679d9c4765",
        }
      `)
  })

  it('hash the operations and the engine, a zero byte, and the digest of the source', () => {
    const { key, operations } = makePlan(new Uint8Array(SOURCES.png), {}, { limits: DEFAULT_LIMITS, engine: ENGINE })
    const text = `${JSON.stringify([ENGINE.identity, operations])}\0`
    const digest = createHash('sha256').update(SOURCES.png).digest('hex')
    expect(key).toBe(createHash('sha256').update(text).update(digest).digest('hex'))
  })
})
