import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createOptimizer, optimize } from '../../src/index.ts'
import type { ImageSource } from '../../src/index.ts'
import { graphic, open } from '../images.ts'

const picture = (): Promise<Buffer> => open(graphic(40, 30)).png().toBuffer()

const SHAPES: Record<string, (bytes: Uint8Array<ArrayBuffer>) => ImageSource> = {
  'an ArrayBuffer': (bytes) => bytes.buffer,
  'a Blob': (bytes) => new Blob([bytes]),
  'a stream': (bytes) => new Blob([bytes]).stream(),
}

describe('an image', () => {
  it.each(Object.entries(SHAPES))('is taken as %s', async (_, shape) => {
    const bytes = new Uint8Array(await picture())
    const expected = await optimize(bytes)
    const result = await optimize(shape(bytes))
    expect(result.key).toBe(expected.key)
    expect(Buffer.compare(result.data, expected.data)).toBe(0)
    expect((await createOptimizer().probe(shape(bytes))).width).toBe(40)
  })

  it.each(['photo.png', 5, null, undefined, {}, []])('is refused as %j, in one sentence', async (source) => {
    const refused = { name: 'PixpressError', code: 'INVALID_OPTION' }
    await expect(optimize(source as never)).rejects.toMatchObject(refused)
    expect(() => createOptimizer().plan(source as never)).toThrow(failure('INVALID_OPTION', 'be a Uint8Array'))
  })

  it.each(['a Blob', 'a stream'])('beyond the limit is refused as %s', async (name) => {
    const optimizer = createOptimizer({ limits: { maxBytes: 100 } })
    const source = SHAPES[name]!(new Uint8Array(await picture()))
    await expect(optimizer.optimize(source)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
  })

  it('in a stream of something else is refused', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue('text' as never)
        controller.close()
      },
    })
    await expect(optimize(stream)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
