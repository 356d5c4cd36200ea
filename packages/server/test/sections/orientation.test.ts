import { createClient } from '@pixpress/client'
import { decode, photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEY, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** A TIFF structure with the orientation 6, as cameras write it. */
const EXIF = ['457869660000', '4d4d002a00000008', '0001', '0112', '0003', '00000001', '00060000', '00000000'].join('')

function sideways(jpeg: Buffer): Buffer {
  const exif = Buffer.from(EXIF, 'hex')
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)])
}

/** Width and height in the header of a JPEG's frame. */
function storedSize(jpeg: Buffer): [number, number] {
  const starts = [0xc0, 0xc1, 0xc2].map((marker) => [0xff, marker, 0, 17, 8])
  const frame = Math.max(...starts.map((start) => jpeg.indexOf(Buffer.from(start))))
  return [jpeg.readUInt16BE(frame + 7), jpeg.readUInt16BE(frame + 5)]
}

describe('a JPEG that EXIF rotates', () => {
  it.each([
    ['whole blocks', 128, 96],
    ['edges that are no whole blocks', 122, 90],
  ])(
    'of %s comes back with rotated pixels, without the tag, and with their size in the headers',
    async (_, ...sides) => {
      const [width, height] = sides
      const source = sideways(await photo(width, height).jpeg())
      expect(await decode(source)).toMatchObject({ width: height, height: width })
      const { headers } = await server.send('POST', '/shrink', { body: source })
      const { body, ...answer } = await server.send('GET', new URL(headers.location!).pathname)
      expect(answer.headers).toMatchObject({ 'image-width': String(height), 'image-height': String(width) })
      expect(body.length).toBeLessThanOrEqual(source.length)
      expect(body.includes('Exif')).toBe(false)
      expect(storedSize(body)).toEqual([height, width])
      expect(answer.headers).not.toHaveProperty('image-orientation')
    },
  )

  it('keeps its tag where no upright one is as small, and answers say so beside the size that is seen', async () => {
    const source = sideways(await photo(203, 137).jpeg(30))
    const upload = await server.send('POST', '/shrink', { body: source })
    expect(upload.json().output).toMatchObject({ width: 137, height: 203, orientation: 6 })
    const path = new URL(upload.headers.location!).pathname
    const seen = { 'image-width': '137', 'image-height': '203', 'image-orientation': '6' }
    const { body, headers } = await server.send('GET', path)
    expect(headers).toMatchObject(seen)
    expect((await server.send('HEAD', path)).headers).toMatchObject(seen)
    expect(storedSize(body)).toEqual([203, 137])
    expect(body.length).toBeLessThanOrEqual(source.length)
    expect(await decode(body)).toMatchObject({ width: 137, height: 203 })
    const kept = await server.send('POST', path, { json: { preserve: ['copyright'] } })
    expect(kept.headers).toMatchObject(seen)
    const result = await createClient({ key: KEY, endpoint: server.url }).fromBuffer(source).result()
    expect(result).toMatchObject({ width: 137, height: 203, orientation: 6 })
    const json = { resize: { method: 'scale', width: 100 } }
    const resized = await server.send('POST', path, { json })
    expect(resized.headers).toMatchObject({ 'image-width': '100', 'image-height': '148' })
    expect(resized.headers).not.toHaveProperty('image-orientation')
  })
})
