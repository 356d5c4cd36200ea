import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../../src/index.ts'
import type { OptimizeResult, Operations } from '../../../src/index.ts'
import { colourPhoto, graphic, open } from '../../images.ts'
import type { Raw } from '../../images.ts'

const LIST: Operations = { convert: { type: ['image/avif', 'image/webp'] } }

/** The formats that were encoded, in the order of their names. */
const encoded = ({ work }: OptimizeResult): string[] => Object.keys(work!.encodes).map((type) => type.slice(6))

const png = (raw: Raw): Promise<Buffer> => open(raw).png().toBuffer()
const jpeg = (raw: Raw, quality = 95): Promise<Buffer> => open(raw).jpeg({ quality }).toBuffer()

describe('a photograph of several possible formats', () => {
  it.each([
    ['JPEG', () => jpeg(colourPhoto(200, 160))],
    ['PNG', () => png(colourPhoto(200, 160))],
    ['WebP', () => open(colourPhoto(200, 160)).webp({ quality: 95 }).toBuffer()],
    ['a small PNG', () => png(colourPhoto(80, 64))],
  ])('is encoded as AVIF alone from %s', async (_, make) => {
    const result = await optimize(await make(), LIST)
    expect(result.info.type).toBe('image/avif')
    expect(encoded(result)).toEqual(['avif'])
  })

  it('is compressed in its own format where AVIF is not smaller than it', async () => {
    const source = await jpeg(colourPhoto(200, 160), 8)
    const [result, own] = [await optimize(source, LIST), await optimize(source)]
    expect(encoded(result)).not.toContain('webp')
    expect(result.data.length).toBeLessThanOrEqual(own.data.length)
    expect(result.reason).toBe(own.reason)
  })

  it('never gets larger than an AVIF that it was', async () => {
    const source = await open(colourPhoto(200, 160)).avif({ quality: 50, effort: 1 }).toBuffer()
    const result = await optimize(source, LIST)
    expect(result.data.length).toBeLessThanOrEqual(source.length)
    expect(result.info.type).toBe('image/avif')
    expect(encoded(result)).toEqual(['avif'])
  })
})

describe('a resized photograph of one possible format', () => {
  const resize = { method: 'scale', width: 100 } as const
  it('keeps its own where that is smaller, unless the format is asked of it alone', async () => {
    const source = await jpeg(colourPhoto(200, 160))
    const own = await optimize(source, { resize })
    const result = await optimize(source, { resize, convert: { type: ['image/png'] } })
    expect([result.info.type, result.data.length]).toEqual(['image/jpeg', own.data.length])
    expect((await optimize(source, { resize, convert: { type: 'image/png' } })).info.type).toBe('image/png')
  })
})

describe('a drawing of several possible formats', () => {
  it('is encoded without loss, and not as AVIF where that cannot be smaller', async () => {
    const result = await optimize(await png(graphic(400, 300)), LIST)
    expect(result.info.type).toBe('image/webp')
    expect(encoded(result)).not.toContain('avif')
  })

  it('is not encoded as AVIF or with loss if it has transparency', async () => {
    const icon = await png(disc(120))
    const [result, webp] = [await optimize(icon, LIST), await optimize(icon, { convert: { type: 'image/webp' } })]
    expect(encoded(result)).not.toContain('avif')
    expect(result.work!.encodes['image/webp']!).toBeLessThan(webp.work!.encodes['image/webp']!)
    expect(result.data.length).toBeLessThanOrEqual(webp.data.length)
  })

  it('becomes AVIF where that is much smaller', async () => {
    const { data } = soft(300, 240)
    const result = await optimize(await png({ data, width: 300, height: 240, channels: 3 }), LIST)
    expect(result.info.type).toBe('image/avif')
  })
})

describe('a resized image of several possible formats', () => {
  it('may keep its own format', async () => {
    const source = await readFile(new URL('../../../../../examples/images/icon.png', import.meta.url))
    const resize = { method: 'scale', width: 16 } as const
    const sizes = []
    for (const type of ['image/avif', 'image/webp', 'image/png'] as const) {
      sizes.push((await optimize(source, { resize, convert: { type } })).data.length)
    }
    const result = await optimize(source, { resize, ...LIST })
    expect(result.data.length).toBe(Math.min(...sizes))
  })
})

describe('an animation of several possible formats', () => {
  it('is compressed in its own format where no other is smaller than it', async () => {
    const source = await readFile(new URL('../../fixtures/spinner.gif', import.meta.url))
    const [result, own] = [await optimize(source, LIST), await optimize(source)]
    expect(result.data.length).toBeLessThanOrEqual(own.data.length)
    expect(result.info.frames).toBeGreaterThan(1)
  })
})

it('the highest effort tries what may win by little', async () => {
  const source = await png(graphic(60, 40))
  const result = await optimize(source, { ...LIST, effort: 'max' })
  expect(encoded(result)).toContain('avif')
})

/** A disc of one colour with antialiased edges, on nothing. */
function disc(side: number): Raw {
  const data = Buffer.alloc(side * side * 4)
  for (let at = 0; at < side * side; at++) {
    const away = Math.hypot((at % side) - side / 2, Math.floor(at / side) - side / 2)
    data.set([200, 40, 90, 255 * Math.min(1, Math.max(0, side / 3 - away))], at * 4)
  }
  return { data, width: side, height: side, channels: 4 }
}

/** Colour gradients over flat ground: a drawing with soft shades. */
function soft(width: number, height: number): Raw {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - width / 2, y - height / 2)
      const shade = Math.max(0, 1 - away / 110)
      data.set([40 + 150 * shade, 60 + 90 * shade, 120 - 60 * shade], (y * width + x) * 3)
    }
  }
  return { data, width, height, channels: 3 }
}
