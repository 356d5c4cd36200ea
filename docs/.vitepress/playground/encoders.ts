import { encodeIndexedPng } from '../../../packages/core/src/encoding/indexed-png.ts'
import { createQuantiser } from '../../../packages/core/src/encoding/quantiser.ts'
import { decode, encodeByBrowser } from './canvas.ts'
import type { Picture } from './canvas.ts'
import { decodeJxl, encodeJxl } from './jxl.ts'

/** A file of one setting, and the pixels that a browser shows of it. */
export interface Encoded {
  readonly file: Blob
  readonly pixels: Picture
}

/** One way to make a type, by settings of which a higher one looks better and takes more bytes. */
export interface Encoder {
  readonly type: string
  readonly by: string
  readonly least: number
  readonly most: number
  /** Words for a setting. */
  readonly name: (setting: number) => string
  /** Why it is of no use for a picture; `undefined` where it is. */
  readonly refuses: (picture: Picture, isOpaque: boolean) => string | undefined
  /** Makes the encoder of one picture. */
  readonly prepare: (picture: Picture) => (setting: number) => Promise<Encoded | undefined>
}

/** Larger pictures take libjxl more than half a minute, on one thread. */
const MOST_PIXELS_OF_JXL = 4_000_000

const quality = (setting: number): string => `quality ${setting}`

const byBrowser = (type: string, refuses: Encoder['refuses'] = () => undefined): Encoder => ({
  type,
  by: 'this browser',
  least: 1,
  most: 100,
  name: quality,
  refuses,
  prepare: (picture) => async (setting) => {
    const file = await encodeByBrowser(picture, type, setting / 100)
    return file && { file, pixels: await decode(file) }
  },
})

const palettes: Encoder = {
  type: 'image/png',
  by: 'pixpress in WebAssembly',
  least: 2,
  most: 256,
  name: (colours) => `${colours} colours`,
  refuses: () => undefined,
  prepare: (picture) => {
    const quantiser = createQuantiser(picture)
    return async (colours) => {
      if (quantiser === undefined) return undefined
      const { indices, palette, pixels } = quantiser.map(colours, { dither: 0.5 })
      const file = encodeIndexedPng({ indices, palette }, picture, 'thorough')
      return {
        file: new Blob([Uint8Array.from(file)], { type: 'image/png' }),
        pixels: { ...picture, data: pixels.slice() },
      }
    }
  },
}

const jxl: Encoder = {
  type: 'image/jxl',
  by: 'libjxl in WebAssembly',
  least: 30,
  most: 99,
  name: quality,
  refuses: ({ width, height }) =>
    width * height > MOST_PIXELS_OF_JXL ? 'Larger than 4 megapixels, which takes too long in a page.' : undefined,
  prepare: (picture) => async (setting) => {
    const file = await encodeJxl(picture, setting)
    return { file, pixels: await decodeJxl(file) }
  },
}

/** All that can be made in a browser, the quickest first. */
export const ENCODERS: readonly Encoder[] = [
  byBrowser('image/jpeg', (_, isOpaque) => (isOpaque ? undefined : 'The picture has transparency.')),
  byBrowser('image/webp'),
  byBrowser('image/avif'),
  palettes,
  jxl,
]
