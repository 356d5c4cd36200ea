import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { detectType } from '@pixpress/core'
import { animation, decode, photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages
/** Paths of outputs. */
let jpeg: string
let transparent: string
let compressed: Answer

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer()
  jpeg = await upload(images.jpeg)
  transparent = await upload(images.transparent)
  compressed = await server.send('GET', jpeg)
})
afterAll(() => server.stop())

async function upload(body: Buffer): Promise<string> {
  const answer = await server.send('POST', '/shrink', { body })
  return new URL(answer.headers.location!).pathname
}

const ask = (json: unknown, target = jpeg, method = 'POST'): Promise<Answer> => server.send(method, target, { json })
const size = ({ headers }: Answer): [number, number] => [
  Number(headers['image-width']),
  Number(headers['image-height']),
]
const count = ({ headers }: Answer): number => Number(headers['compression-count'])
const now = async (): Promise<number> => count(await server.send('GET', jpeg))

/** The type of an image, or the refusal. */
const outcomeOf = ({ status, headers, body }: Answer): unknown[] =>
  status === 200 ? [status, headers['content-type']] : [status, JSON.parse(body.toString())]

/** The headers must be true of the body, whatever the operation. */
async function expectImage(answer: Answer, type: string): Promise<void> {
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe(type)
  expect(detectType(answer.body)).toBe(type)
  expect(Number(answer.headers['content-length'])).toBe(answer.body.length)
  const { width, height } = await decode(answer.body)
  expect(size(answer)).toEqual([width, height])
}

describe('download', () => {
  it('§4.3 download: 200 with Compression-Count, Image-Width, Image-Height, Content-Type, Content-Length', async () => {
    const answer = await server.send('GET', jpeg)
    await expectImage(answer, 'image/jpeg')
    expect(size(answer)).toEqual([120, 80])
    expect(answer.headers['compression-count']).toMatch(/^\d+$/)
    expect(answer.body.length).toBeLessThan(images.jpeg.length)
  })

  it('§8 a download without options counts nothing', async () => {
    const before = await now()
    expect(count(await server.send('GET', jpeg))).toBe(before)
  })

  it('HEAD answers with the headers of a download alone', async () => {
    const { status, headers, body } = await server.send('HEAD', jpeg)
    expect([status, headers['content-type'], headers['image-width'], body.length]).toEqual([
      200,
      'image/jpeg',
      '120',
      0,
    ])
    expect(headers['content-length']).toBe(compressed.headers['content-length'])
  })
})

describe('resize', () => {
  it('§4.4 scale: exactly one of width or height', async () => {
    const byWidth = await ask({ resize: { method: 'scale', width: 60 } })
    await expectImage(byWidth, 'image/jpeg')
    expect(size(byWidth)).toEqual([60, 40])
    expect(size(await ask({ resize: { method: 'scale', height: 20 } }))).toEqual([30, 20])
  })

  it('§4.4 fit: does not exceed either dimension', async () => {
    expect(size(await ask({ resize: { method: 'fit', width: 60, height: 60 } }))).toEqual([60, 40])
    expect(size(await ask({ resize: { method: 'fit', width: 100, height: 20 } }))).toEqual([30, 20])
  })

  it('§4.4 cover: exactly the given dimensions', async () => {
    expect(size(await ask({ resize: { method: 'cover', width: 50, height: 50 } }))).toEqual([50, 50])
  })

  it('§4.4 thumb: exactly the given dimensions', async () => {
    const answer = await ask({ resize: { method: 'thumb', width: 40, height: 30 } })
    await expectImage(answer, 'image/jpeg')
    expect(size(answer)).toEqual([40, 30])
  })

  it('§4.4 rule 1: never scaled up', async () => {
    expect(size(await ask({ resize: { method: 'scale', width: 500 } }))).toEqual([120, 80])
    expect(size(await ask({ resize: { method: 'fit', width: 500, height: 500 } }))).toEqual([120, 80])
    expect(size(await ask({ resize: { method: 'cover', width: 500, height: 500 } }))).toEqual([80, 80])
  })

  it('§4.4 rule 2: a resize counts as one', async () => {
    const before = await now()
    expect(count(await ask({ resize: { method: 'scale', width: 60 } }))).toBe(before + 1)
  })

  it('§4.4 rule 3: scale with both dimensions or neither is refused', async () => {
    const before = await now()
    for (const resize of [{ method: 'scale', width: 60, height: 40 }, { method: 'scale' }]) {
      const answer = await ask({ resize })
      expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
      expect(answer.json().message).toMatch(/'width' and 'height'/)
    }
    expect(await now()).toBe(before)
  })

  it('W§2 fit, cover and thumb need both dimensions; method is required; dimensions are whole numbers of at least 1', async () => {
    const wrong = [
      { method: 'fit', width: 60 },
      { method: 'cover', height: 60 },
      { method: 'thumb' },
      { width: 60, height: 60 },
      { method: 'stretch', width: 60, height: 60 },
      { method: 'scale', width: 0 },
      { method: 'scale', width: -5 },
      { method: 'scale', width: 1.5 },
      { method: 'scale', width: '60' },
      { method: 'scale', with: 60 },
    ]
    for (const resize of wrong) {
      const answer = await ask({ resize })
      expect([answer.status, answer.json().error], JSON.stringify(resize)).toEqual([400, 'BadRequest'])
      expect(answer.json().message).toMatch(/'resize/)
    }
  })
})

describe('convert and transform', () => {
  it('§4.5 convert.type: a single type', async () => {
    for (const type of ['image/webp', 'image/png', 'image/jpeg', 'image/avif']) {
      await expectImage(await ask({ convert: { type } }), type)
    }
  })

  it('§4.5 convert.type: of an array of types the smallest is returned', async () => {
    const [webp, png, either] = await Promise.all([
      ask({ convert: { type: 'image/webp' } }),
      ask({ convert: { type: 'image/png' } }),
      ask({ convert: { type: ['image/webp', 'image/png'] } }),
    ])
    expect(either.body.length).toBeLessThanOrEqual(Math.min(webp.body.length, png.body.length))
  })

  it('W§3 a list of types is as strict as a single one: the same answer, or the same refusal, for every kind of image', async () => {
    const picture = photo(40, 30)
    const moving = await upload(await animation(24, 16, 3).webp())
    const kinds = {
      jpeg,
      transparent,
      moving,
      webp: await upload(await picture.webp(20)),
      avif: await upload(await picture.avif(30)),
    }
    for (const [kind, target] of Object.entries(kinds)) {
      for (const type of ['image/avif', 'image/webp', 'image/jpeg', 'image/png']) {
        const single = await ask({ convert: { type } }, target)
        const list = await ask({ convert: { type: [type] } }, target)
        expect(outcomeOf(list), `${kind} to [${type}]`).toEqual(outcomeOf(single))
        if (list.status === 200) await expectImage(list, type)
      }
    }
    expect((await ask({ convert: { type: ['image/jpeg'] } }, transparent)).json().error).toBe('BackgroundRequired')
    expect((await ask({ convert: { type: ['image/jpeg'] } }, moving)).status).toBe(400)
  })

  it('W§3 a conversion answers a type that was asked for, also where that is larger than the upload', async () => {
    const webp = await photo(40, 30).webp(20)
    const answer = await ask({ convert: { type: ['image/png', 'image/jpeg'] } }, await upload(webp))
    expect(answer.headers['content-type']).toMatch(/^image\/(png|jpeg)$/)
    expect(answer.body.length).toBeGreaterThan(webp.length)
  })

  it('§4.5 convert.type: the wildcard returns the smallest of all types', async () => {
    const answer = await ask({ convert: { type: '*/*' } })
    await expectImage(answer, String(answer.headers['content-type']))
    const avif = await ask({ convert: { type: 'image/avif' } })
    expect(answer.body.length).toBeLessThanOrEqual(avif.body.length)
  })

  it('§4.5 transform.background: #rrggbb in either case, white or black, no other names', async () => {
    for (const background of ['#ff8800', '#FF8800', 'white', 'black']) {
      const answer = await ask({ convert: { type: 'image/jpeg' }, transform: { background } }, transparent)
      await expectImage(answer, 'image/jpeg')
    }
    for (const background of ['red', '#fff', 'ff8800', 'White', 5]) {
      const answer = await ask({ convert: { type: 'image/jpeg' }, transform: { background } }, transparent)
      expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
    }
  })

  it('§4.5 rule 1: a conversion counts as one', async () => {
    const before = await now()
    expect(count(await ask({ convert: { type: 'image/webp' } }))).toBe(before + 1)
  })

  it('§4.5 rule 2: a transparent image becomes only types with transparency', async () => {
    const answer = await ask({ convert: { type: ['image/jpeg', 'image/png'] } }, transparent)
    await expectImage(answer, 'image/png')
  })

  it('§4.5 rule 3: the background fills what is transparent', async () => {
    const answer = await ask({ convert: { type: 'image/png' }, transform: { background: '#ff8800' } }, transparent)
    const { pixels, hasAlpha } = await decode(answer.body)
    expect(hasAlpha).toBe(false)
    const before = await decode(images.transparent)
    const clear = before.pixels.findIndex((value, at) => at % 4 === 3 && value === 0) - 3
    expect(clear).toBeGreaterThanOrEqual(0)
    expect([...pixels.subarray(clear, clear + 4)]).toEqual([0xff, 0x88, 0x00, 0xff])
  })

  it('§4.5 rule 5: a transparent image to JPEG without background is refused', async () => {
    const before = await now()
    const answer = await ask({ convert: { type: 'image/jpeg' } }, transparent)
    expect([answer.status, answer.json().error]).toEqual([400, 'BackgroundRequired'])
    expect(await now()).toBe(before)
  })

  it('W§1.4 image/jpg is an alias; answers say image/jpeg', async () => {
    const webp = await upload(await photo(48, 32).webp())
    await expectImage(await ask({ convert: { type: 'image/jpg' } }, webp), 'image/jpeg')
  })

  it('W§1.5 transform may come without convert, and counts nothing', async () => {
    const before = await now()
    const answer = await ask({ transform: { background: 'white' } }, transparent)
    await expectImage(answer, 'image/png')
    expect((await decode(answer.body)).hasAlpha).toBe(false)
    expect(count(answer)).toBe(before)
  })
})

describe('preserve', () => {
  const copyright = '(c) 2026 Ada Example, all rights reserved'
  let withMetadata: string
  let plain: Answer

  beforeAll(async () => {
    withMetadata = await upload(await readFile(path.join(import.meta.dirname, '../fixtures/metadata.jpg')))
    plain = await server.send('GET', withMetadata)
  })

  it('§4.6 copyright, creation and location are copied from the upload', async () => {
    expect(plain.body.includes(copyright)).toBe(false)
    expect(plain.body.includes('2021:07:04 18:30:15')).toBe(false)
    const kept = await ask({ preserve: ['copyright'] }, withMetadata)
    await expectImage(kept, 'image/jpeg')
    expect(kept.body.includes(copyright)).toBe(true)
    expect(kept.body.includes('2021:07:04 18:30:15')).toBe(false)
    const creation = await ask({ preserve: ['creation'] }, withMetadata)
    expect(creation.body.includes('2021:07:04 18:30:15')).toBe(true)
    expect(creation.body.includes(copyright)).toBe(false)
    // The GPS directory's pointer (0x8825, a long, little-endian) in the one-entry IFD0 of the EXIF segment.
    const location = await ask({ preserve: ['location'] }, withMetadata)
    expect(location.body.includes(Buffer.from([0x25, 0x88, 4, 0]))).toBe(true)
    expect(location.body.length - plain.body.length).toBe(138)
    expect(location.body.includes(copyright)).toBe(false)
  })

  it('§4.6 rule 1: what is absent adds nothing', async () => {
    const answer = await ask({ preserve: ['copyright', 'creation', 'location'] })
    expect(answer.body.length).toBe(compressed.body.length)
  })

  it('§4.6 rule 2: preserving counts nothing', async () => {
    const before = await now()
    expect(count(await ask({ preserve: ['copyright'] }))).toBe(before)
  })

  it('§4.6 rule 3: the answer is slightly larger than the compressed image', async () => {
    const answer = await ask({ preserve: ['copyright'] }, withMetadata)
    const added = answer.body.length - plain.body.length
    expect(added).toBeGreaterThan(copyright.length)
    expect(added).toBeLessThanOrEqual(90 + copyright.length)
  })

  it('§4.6 unknown items are refused', async () => {
    for (const preserve of [['camera'], 'copyright', [5]]) {
      expect((await ask({ preserve })).json().error).toBe('BadRequest')
    }
  })
})
