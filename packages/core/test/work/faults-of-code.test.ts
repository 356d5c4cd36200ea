import { animation, graphic, naming, photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PixpressError } from '../../src/base/errors.ts'
import { AlikeFailures } from '../../src/optimizer/alike-failures.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { Operations } from '../../src/operations/index.ts'

const optimizer = createOptimizer({ cache: false })
afterEach(() => {
  vi.restoreAllMocks()
})

const drawing = (inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><g><g>${inside}</g></g></svg>`)
const jpegInside = async (): Promise<Buffer> => {
  const href = `data:image/jpeg;base64,${Buffer.from(await photo(60, 40).jpeg(97)).toString('base64')}`
  return drawing(`<image width="60" height="40" href="${href}"/>`)
}

/** Where sharp lacks a method, as another version of it may, in the middle of each kind of work. */
const CASES: readonly { work: string; method: string; source: () => Promise<Uint8Array>; asked?: Operations }[] = [
  { work: 'the header of a JPEG', method: 'metadata', source: () => photo(60, 40).jpeg(97) },
  { work: 'the pixels of a JPEG', method: 'raw', source: () => photo(60, 40).jpeg(97) },
  { work: 'the pixels of a PNG', method: 'raw', source: () => graphic(60, 40).png() },
  { work: 'the frames of a GIF', method: 'raw', source: () => animation(40, 30).gif() },
  {
    work: 'a resized GIF',
    method: 'raw',
    source: () => animation(40, 30).gif(),
    asked: { resize: { method: 'scale', width: 20 } },
  },
  {
    work: 'the look of an SVG',
    method: 'ensureAlpha',
    source: async () => drawing('<rect width="9" height="9" fill="#ff0000"/>'),
  },
  { work: 'a picture inside an SVG', method: 'metadata', source: jpegInside },
  {
    work: 'an encoder',
    method: 'webp',
    source: () => photo(60, 40).jpeg(97),
    asked: { convert: { type: 'image/webp' } },
  },
]

describe('a fault of code', () => {
  it.each(CASES)('in $work is no fault of the image (sharp without $method)', async ({ method, source, asked }) => {
    const bytes = await source()
    vi.spyOn(sharp.prototype as Record<string, () => unknown>, method).mockImplementation(() => {
      throw new TypeError(`opened.${method} is not a function`)
    })
    const error: unknown = await optimizer.optimize(bytes, asked).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INTERNAL', message: naming(method) })
    expect((error as Error).cause).toMatchObject({ stack: naming('faults-of-code.test.ts') })
  })

  it('in a placeholder is told, and does not leave the page without one', async () => {
    const source = await photo(60, 40).jpeg(97)
    const planned = optimizer.plan(source)
    const work = optimizer.materialize(planned, { placeholder: 'thumbhash' })
    vi.spyOn(sharp.prototype as Record<string, () => unknown>, 'raw').mockImplementation(() => {
      throw new ReferenceError('pixels is not defined')
    })
    await expect(work).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

/** The header is whole, and the pixels are no stream of zlib. */
const withoutPixels = async (width: number): Promise<Buffer> => {
  const png = Buffer.from(await graphic(width, 40).png())
  const at = png.indexOf('IDAT') + 4
  return png.fill(7, at, at + 40)
}
const failing = async (widths: readonly number[]): Promise<void> => {
  for (const width of widths)
    await expect(optimizer.optimize(await withoutPixels(width))).rejects.toMatchObject({ code: 'DECODE_FAILED' })
}

describe('images of one format that all fail alike', () => {
  it('fail the build at its end, once', async () => {
    await failing([60, 61, 62])
    expect(() => optimizer.assertComplete()).toThrow(
      expect.objectContaining({ code: 'MACHINE_UNFIT', message: naming('3', 'PNG', 'npx pixpress doctor') }),
    )
    expect(() => optimizer.assertComplete()).not.toThrow()
  })

  it.each([
    ['are two', [60, 61]],
    ['have the same bytes', [60, 60, 60]],
  ])('do not where they %s', async (_, widths) => {
    await failing(widths)
    expect(() => optimizer.assertComplete()).not.toThrow()
  })

  it('do not beside a sound one', async () => {
    await failing([60, 61, 62])
    await optimizer.optimize(await graphic(60, 40).png())
    expect(() => optimizer.assertComplete()).not.toThrow()
  })

  it('do not where one has another reason', () => {
    const alike = new AlikeFailures()
    const fail = (byte: number, code: 'DECODE_FAILED' | 'ENCODE_FAILED', reason: string): void =>
      alike.failed(
        { type: 'image/png', source: Uint8Array.of(byte) },
        new PixpressError(code, 'The PNG fails.', { cause: new Error(reason) }),
      )
    for (const byte of [1, 2, 3]) fail(byte, 'DECODE_FAILED', 'no decoder')
    fail(4, 'DECODE_FAILED', 'bad checksum')
    expect(() => alike.refuse()).not.toThrow()
    for (const byte of [1, 2]) fail(byte, 'DECODE_FAILED', 'out of order')
    fail(3, 'ENCODE_FAILED', 'out of order')
    expect(() => alike.refuse()).not.toThrow()
  })
})
