import { randomBytes } from 'node:crypto'
import { deliveryPath, sign } from '@pixpress/client/delivery'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { readPath } from '../../src/delivery/path.ts'
import { createVerifier } from '../../src/delivery/signature.ts'

const [key, next, other] = [1, 2, 3].map((each) => `${each}`.repeat(32)) as [string, string, string]
const verify = createVerifier([key])
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a signature', () => {
  it.each([
    ['photos/a.jpg', { w: 640 }],
    ['https://example.com/ä b.jpg?x=1,2', { quality: 'small', position: '0.3,0.6' }],
    [`photos/a b,"c'(d)&e?f#g%h!+~.jpg`, { download: 'Ein Bild (1).jpg', grayscale: true }],
    ['photos/日本/😀.png', {}],
    ['output/0123456789abcdef0123456789abcdef', { w: '*', expires: 1_800_000_000 }],
  ])('of the client for %s is right, as it comes and as a URL parser writes it', async (source, operations) => {
    const path = deliveryPath(source, operations)
    const signature = await sign(path, key)
    for (const pathname of [`/i/${signature}${path}`, new URL(`http://x/i/${signature}${path}`).pathname]) {
      const read = readPath(pathname)
      expect([read.signature, read.signed]).toEqual([signature, path])
      expect(verify(read.signature, read.signed)).toBe(true)
    }
  })

  it('holds where a proxy has encoded more or less than there was, and not where it has changed the segments', async () => {
    const path = deliveryPath('photos/a;b,c.jpg', { convert: 'avif,webp', w: 64 })
    const signature = await sign(path, key)
    const check = (changed: string): boolean => verify(signature, readPath(`/i/${signature}${changed}`).signed)
    expect(check(path.replaceAll('%2C', ','))).toBe(true)
    expect(check(path.replaceAll(';', '%3B').replace('=', '%3d'))).toBe(true)
    expect(() => check(path.replace('photos/', 'photos%2F'))).toThrow('Expected a URL')
  })

  it('is right by any of several keys, and by no other', async () => {
    const both = createVerifier([next, key])
    for (const [by, right] of [
      [key, true],
      [next, true],
      [other, false],
    ] as const) {
      expect(both(await sign('/-/photos/a.jpg', by), '/-/photos/a.jpg')).toBe(right)
    }
  })

  it('is refused 10,000 times where a character of it is another one, is missing, or is one too many', async () => {
    const right = await sign('/w=640/photos/a.jpg', key)
    const altered = new Set<string>()
    for (let at = 0; at < right.length; at++) {
      for (const character of ALPHABET) altered.add(right.slice(0, at) + character + right.slice(at + 1))
      altered.add(right.slice(0, at) + right.slice(at + 1))
      for (const character of ALPHABET) altered.add(right.slice(0, at) + character + right.slice(at))
    }
    while (altered.size < 10_000) altered.add(randomBytes(32).toString('base64url'))
    altered.delete(right)
    for (const no of ['', `${right}=`, `${right} `, right.toLowerCase(), 'ä'.repeat(43)]) altered.add(no)
    const taken = [...altered].filter((each) => verify(each, '/w=640/photos/a.jpg'))
    expect(altered.size).toBeGreaterThanOrEqual(10_000)
    expect(taken).toEqual([])
    expect(verify(right, '/w=640/photos/a.jpg')).toBe(true)
  })

  it('is refused for another text', async () => {
    const right = await sign('/w=640/photos/a.jpg', key)
    for (const text of ['/w=641/photos/a.jpg', '/w=640/photos/b.jpg', '/w=640/photos/a.jpg/', '']) {
      expect(verify(right, text)).toBe(false)
    }
  })
})

describe('readPath', () => {
  it.each([
    '/i/',
    '/i/s',
    '/i/s/w=1',
    '/i/s/w=1/photos',
    '/i/s/w=1/photos/',
    '/i/s//photos/a',
    '/i/s/-/../a',
    '/i/s/-/a/%2e%2e',
  ])('finds nothing at %s', (path) => {
    expect(() => readPath(path)).toThrow(failure('HttpError', 'URL such as'))
  })

  it('refuses an escape that is none, and steps elsewhere in segments', () => {
    expect(() => readPath('/i/s/-/photos/%zz')).toThrow(failure('HttpError', "'%'"))
    for (const segment of ['a%2Fb', 'a%5Cb', 'a%00b']) {
      expect(() => readPath(`/i/s/-/photos/${segment}`)).toThrow(failure('HttpError', 'URL such as'))
    }
  })
})
