import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import type { ImageType } from '../../src/base/types.ts'

/** Promises in order: a result that keeps one keeps all before it. */
const PROMISES = [60, 70, 80, 85, 90, 95] as const

/**
 * A result may have this many times the bytes of one for a higher promise, because searches end near the promise, not
 * at it.
 */
const TOLERANCE = 1.01

/**
 * Bytes by which tiny results may differ in addition, because the tables of an encoder weigh more than the tolerance.
 */
const TOLERANCE_BYTES = 12

const PHOTOGRAPHS = path.join(import.meta.dirname, '../quality/metric/fixtures')
const CUTOUTS = path.join(import.meta.dirname, '../fixtures/cutouts/composites')

/** Cells in many shades of grey with small marks of many hues: guards refuse palettes until each hue has an entry. */
function marks(count: number): Promise<Buffer> {
  let state = count
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  const cells = Array.from({ length: 600 }, (_, index) => {
    const light = Math.floor(90 + 150 * random())
    const [x, y] = [(index % 30) * 12, Math.floor(index / 30) * 12]
    return `<rect x="${x}" y="${y}" width="12" height="12" fill="rgb(${light},${light - 5},${Math.floor(light * 0.9)})"/>`
  })
  const circles = Array.from({ length: count }, (_, index) => {
    const hue = Math.floor((360 * index) / count)
    return `<circle cx="${12 + 330 * random()}" cy="${12 + 210 * random()}" r="4" fill="hsl(${hue} 70% 50%)"/>`
  })
  return drawn(360, 240, `<g shape-rendering="crispEdges">${cells.join('')}${circles.join('')}</g>`)
}

const drawn = (width: number, height: number, body: string): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`))
    .png()
    .toBuffer()

const logo = (): Promise<Buffer> =>
  drawn(
    240,
    120,
    `<defs><linearGradient id="g"><stop stop-color="#f80"/><stop offset="1" stop-color="#80f"/></linearGradient></defs>
    <circle cx="60" cy="60" r="50" fill="url(#g)"/><text x="118" y="76" font-size="46" font-family="sans-serif" fill="#246">pix</text>`,
  )

const PICTURES = {
  'marks of 12 hues': () => marks(12),
  'marks of 40 hues': () => marks(40),
  'a logo on nothing': logo,
  'a photograph': () => sharp(path.join(PHOTOGRAPHS, 'coffee.png')).resize(280).png().toBuffer(),
  'a cut-out': () => sharp(path.join(CUTOUTS, 'trim-0.png')).resize(200).png().toBuffer(),
} satisfies Record<string, () => Promise<Buffer>>

const TYPES: readonly ImageType[] = ['image/png', 'image/webp', 'image/avif', 'image/jpeg']

describe.each(Object.entries(PICTURES))('%s', (_, open) => {
  it.each(TYPES.flatMap((type) => (['fast', 'default'] as const).map((effort) => [type, effort] as const)))(
    'takes no more bytes as %s with effort %s for a lower promise',
    async (type, effort) => {
      const source = await open()
      const bytes: number[] = []
      for (const quality of PROMISES) {
        const { data } = await optimize(source, {
          quality,
          effort,
          convert: { type },
          ...(type === 'image/jpeg' && { transform: { background: 'white' } }),
        })
        bytes.push(data.length)
      }
      const most = bytes.map((_each, index) => TOLERANCE * Math.min(...bytes.slice(index)) + TOLERANCE_BYTES)
      expect(bytes.map((each, index) => each <= most[index]!)).toEqual(bytes.map(() => true))
    },
    60_000,
  )
})
