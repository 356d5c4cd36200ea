import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { InputType } from '../../../src/base/types.ts'
import type { Operations } from '../../../src/operations/index.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { jxlFixture } from '../../formats/jxl/fixture.ts'
import { graphic, open, photo } from '../../images.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

/** Files that c2pa-rs calls valid; a certificate that nobody trusts signed them (see `LICENSES.md` there). */
const signed = (name: string): Buffer => readFileSync(new URL(`../../fixtures/credentials/${name}`, import.meta.url))

const KEPT = { preserve: ['provenance'] } as const satisfies Operations
const LEFT_OUT = 'Its content credentials (C2PA) are left out, as they do not hold for other bytes.'

/** The store of a manifest without one: a superbox with its description (ISO/IEC 19566-5). */
const STORE = box(
  'jumb',
  box('jumd', Buffer.from('6332706100110010800000AA00389B71', 'hex'), Buffer.from('\x03c2pa\0', 'latin1')),
)

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}

function webpChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)])
}

/** A file of each format with credentials where the specification has them. */
const FILES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'image/jpeg': () => Promise.resolve(signed('signed.jpg')),
  'image/png': () => Promise.resolve(signed('signed.png')),
  async 'image/webp'() {
    const file = Buffer.concat([await open(photo(64, 48)).webp({ quality: 98 }).toBuffer(), webpChunk('C2PA', STORE)])
    file.writeUInt32LE(file.length - 8, 4)
    return file
  },
  async 'image/avif'() {
    const number = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')
    const content = Buffer.concat([Buffer.alloc(4), Buffer.from('manifest\0'), Buffer.alloc(8), STORE])
    return Buffer.concat([await open(photo(64, 48)).avif({ quality: 95 }).toBuffer(), box('uuid', number, content)])
  },
  'image/jxl'() {
    const start = [box('JXL ', Buffer.from([13, 10, 0x87, 10])), box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'))]
    return Promise.resolve(Buffer.concat([...start, STORE, box('jxlc', jxlFixture('17x15'))]))
  },
  async 'image/gif'() {
    const gif = await open(graphic(64, 48)).gif().toBuffer()
    const head = Buffer.from('\x21\xff\x0bC2PA_GIF\x01\0\0', 'latin1')
    const extension = Buffer.concat([head, Buffer.from([STORE.length]), STORE, Buffer.alloc(1)])
    const at = 13 + ((gif[10]! & 0x80) === 0 ? 0 : 3 << ((gif[10]! & 7) + 1))
    return Buffer.concat([gif.subarray(0, at), extension, gif.subarray(at)])
  },
  'image/svg+xml'() {
    const manifest = `<metadata><c2pa:manifest xmlns:c2pa="http://c2pa.org/manifest">${STORE.toString('base64')}</c2pa:manifest></metadata>`
    return Promise.resolve(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${manifest}<path d="M0 0h8v8z"/></svg>`,
      ),
    )
  },
}

describe.each(Object.keys(FILES))('a file with content credentials, %s', (type) => {
  it('stays byte for byte where they are to be kept', async () => {
    const source = await FILES[type]!()
    const result = await optimizer.optimize(source, KEPT)
    expect(Buffer.compare(result.data, source)).toBe(0)
    expect(result).toMatchObject({
      kept: 'input',
      reason: 'credentials',
      notes: [],
      info: { type, size: source.length },
    })
  })

  it('loses them otherwise, which a note says', async () => {
    const { data, notes } = await optimizer.optimize(await FILES[type]!())
    expect(notes).toContain(LEFT_OUT)
    expect(Buffer.from(data).includes('c2pa')).toBe(false)
  })
})

describe('content credentials that are to be kept', () => {
  it.each<[string, Operations]>([
    ['resized', { resize: { method: 'scale', width: 20 } }],
    ['converted', { convert: { type: 'image/webp' } }],
    ['adjusted', { adjust: { blur: 2 } }],
  ])('are left out of an image that is %s', async (_, change) => {
    const { data, notes } = await optimizer.optimize(signed('signed.png'), { ...KEPT, ...change })
    expect(notes).toContain(LEFT_OUT)
    expect(Buffer.from(data).includes('c2pa')).toBe(false)
  })

  it('hold an image to its own type where that is one of several', async () => {
    const source = signed('signed.png')
    const types: readonly InputType[] = ['image/webp', 'image/png']
    const result = await optimizer.optimize(source, {
      ...KEPT,
      convert: { type: types as ['image/webp', 'image/png'] },
    })
    expect(Buffer.compare(result.data, source)).toBe(0)
  })

  it('do not stop what a background would fill, where nothing is transparent', async () => {
    const source = signed('signed.jpg')
    const { data } = await optimizer.optimize(source, { ...KEPT, transform: { background: 'white' } })
    expect(Buffer.compare(data, source)).toBe(0)
  })

  it('are worth more than a bound of bytes, which a note says', async () => {
    const { notes } = await optimizer.optimize(signed('signed.jpg'), { ...KEPT, maxBytes: 1000 })
    expect(notes).toEqual([expect.stringContaining('1000 bytes')])
  })

  it('change nothing about files that have none', async () => {
    const source = await open(photo(64, 48)).jpeg({ quality: 97 }).toBuffer()
    const [kept, plain] = [await optimizer.optimize(source, KEPT), await optimizer.optimize(source)]
    expect(Buffer.compare(kept.data, plain.data)).toBe(0)
    expect(kept.notes).toEqual(plain.notes)
  })
})
