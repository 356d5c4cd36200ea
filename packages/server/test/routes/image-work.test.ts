import { photo } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createImageWork } from '../../src/routes/image-work.ts'
import type { ImageWork } from '../../src/routes/image-work.ts'
import { isInPages } from '../../src/http/page-memory.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { resolveSettings } from '../../src/index.ts'

let work: ImageWork
let image: Buffer
const { limits } = resolveSettings()
const wanted = (): void => undefined

beforeEach(async () => {
  image = await photo(24, 16).png()
  work = createImageWork({ concurrency: 1, queue: 2, sandbox: 'none', limits })
})
afterEach(() => work.close())

describe('createImageWork', () => {
  it('works on as many as it may, lets as many wait, and refuses the rest', async () => {
    const runs = Array.from({ length: 3 }, () => work.run(image, {}, wanted))
    expect([work.working, work.waiting]).toEqual([1, 2])
    expect(() => work.assertRoom()).toThrow(/Too many images are waiting/)
    await expect(work.run(image, {}, wanted)).rejects.toMatchObject({ error: 'ServiceUnavailable', status: 503 })
    const sizes = (await Promise.all(runs)).map(({ data }) => data.length)
    expect(new Set(sizes).size).toBe(1)
    expect([work.working, work.waiting]).toEqual([0, 0])
    expect(() => work.assertRoom()).not.toThrow()
  })

  it('hands the turn on when nobody wants the image any more, and when the engine fails', async () => {
    const first = work.run(image, {}, wanted)
    const second = work.run(image, {}, () => {
      throw new Error('gone')
    })
    const third = work.run(Buffer.from('no image'), {}, wanted)
    await expect(second).rejects.toThrow('gone')
    await expect(third).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' })
    expect((await first).info.type).toBe('image/png')
    expect((await work.run(image, {}, wanted)).info.width).toBe(24)
    expect([work.working, work.waiting]).toEqual([0, 0])
  })

  it('answers with bytes of their own where the upload is kept and its memory will be used again', async () => {
    const optimal = await work.run(image, {}, wanted)
    const memory = createUploadMemory(1_000_000, 1).open()
    const place = memory.place(300_000)!.subarray(0, optimal.data.length)
    place.set(optimal.data)
    const { kept, data } = await work.run(place, {}, wanted)
    expect([kept, isInPages(place), isInPages(data)]).toEqual(['input', true, false])
    expect(Buffer.compare(data, optimal.data)).toBe(0)
  })

  it('does not begin a turn that was given up, nor count it as waiting', async () => {
    const first = work.run(image, {}, wanted)
    const given = new AbortController()
    let begun = false
    const second = work.turn(async () => (begun = true), given.signal)
    expect([work.waiting, work.idle]).toEqual([1, false])
    given.abort()
    expect(work.waiting).toBe(0)
    await Promise.all([first, second])
    expect(begun).toBe(false)
    expect([work.waiting, work.idle]).toEqual([0, true])
  })

  it('says when there is a place again', async () => {
    const order: string[] = []
    const first = work.run(image, {}, wanted).then(() => order.push('first'))
    const second = work.run(image, {}, wanted).then(() => order.push('second'))
    await work.whenIdle()
    order.push('idle')
    await Promise.all([first, second])
    expect(order.indexOf('idle')).toBeGreaterThan(order.indexOf('first'))
    await work.whenIdle()
  })

  it('counts pixels by the header, and none of what it cannot read', async () => {
    expect(await work.pixels(image)).toBe(24 * 16)
    expect(await work.pixels(Buffer.from('no image'))).toBe(0)
  })
})
