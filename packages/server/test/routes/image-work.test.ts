import { photo, failure } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createImageWork } from '../../src/routes/image-work.ts'
import type { ImageWork, ImageWorkSettings } from '../../src/routes/image-work.ts'
import { isInPages } from '../../src/http/page-memory.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { resolveSettings } from '../../src/index.ts'

let work: ImageWork
let image: Buffer
const asker = { account: 'shop', assertWanted: (): void => undefined }
const settings = (more: Partial<ImageWorkSettings> = {}): ImageWorkSettings => ({
  ...resolveSettings(),
  concurrency: 1,
  queue: 2,
  sandbox: 'none',
  ...more,
})

const ignore = (): void => undefined

const gone = (): void => {
  throw new Error('gone')
}

beforeEach(async () => {
  image = await photo(24, 16).png()
  work = createImageWork(settings())
})
afterEach(() => work.close())

describe('createImageWork', () => {
  it('works on as many as it may, lets as many wait, and refuses the rest', async () => {
    const runs = Array.from({ length: 3 }, () => work.run(image, {}, asker))
    await expect.poll(() => [work.working, work.waiting]).toEqual([1, 2])
    expect(() => work.assertRoom('shop')).toThrow(failure('HttpError', 'images are waiting'))
    await expect(work.run(image, {}, asker)).rejects.toMatchObject({ error: 'ServiceUnavailable', status: 503 })
    const sizes = (await Promise.all(runs)).map(({ data }) => data.length)
    expect(new Set(sizes).size).toBe(1)
    expect([work.working, work.waiting]).toEqual([0, 0])
    expect(() => work.assertRoom('shop')).not.toThrow()
  })

  it('hands the turn on when nobody wants the image any more', async () => {
    const first = work.run(image, {}, asker)
    await expect(work.run(image, {}, { ...asker, assertWanted: gone })).rejects.toThrow('gone')
    expect((await first).info.type).toBe('image/png')
    expect((await work.run(image, {}, asker)).info.width).toBe(24)
    expect([work.working, work.waiting]).toEqual([0, 0])
  })

  it('answers with bytes of their own where the upload is kept and its memory will be used again', async () => {
    const optimal = await work.run(image, {}, asker)
    const memory = createUploadMemory(1_000_000, 1).open('shop')
    const place = memory.place(300_000)!.subarray(0, optimal.data.length)
    place.set(optimal.data)
    const { kept, data } = await work.run(place, {}, asker)
    expect([kept, isInPages(place), isInPages(data)]).toEqual(['input', true, false])
    expect(Buffer.compare(data, optimal.data)).toBe(0)
  })

  it('refuses what cannot be read without letting it wait', async () => {
    const first = work.run(image, {}, asker)
    await expect(work.run(Buffer.from('no image'), {}, asker)).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' })
    await first
    expect(work.counts().get('shop')).toEqual({ waiting: 0, admitted: 1, refused: 0 })
  })

  it('begins the image of another account before the third of those that wait', async () => {
    await work.close()
    work = createImageWork(settings({ queue: 100 }))
    const began: string[] = []
    const ask = (account: string): Promise<unknown> =>
      work.run(image, {}, { account, assertWanted: () => void began.push(account) })
    let end: () => void = ignore
    const cost = await work.cost(image)
    const first = work.turn(() => new Promise<void>((resolve) => (end = resolve)), { account: 'shop', cost })
    const many = Array.from({ length: 8 }, () => ask('shop'))
    await expect.poll(() => work.waiting).toBe(8)
    const other = ask('blog')
    await expect.poll(() => work.waiting).toBe(9)
    end()
    await Promise.all([first, other, ...many])
    expect(began).toHaveLength(9)
    expect(began.indexOf('blog')).toBeLessThan(2)
  })
})
