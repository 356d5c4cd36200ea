import { createHmac } from 'node:crypto'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { atWidth, deliveryPath, deliveryUrl, sign, srcset } from '../src/delivery.ts'

const key = '0123456789abcdef0123456789abcdef'
const options = { endpoint: 'https://images.example.com/', key }

describe('deliveryPath', () => {
  it('writes operations in their order of the alphabet, switches bare, and leaves out what is off', () => {
    const operations = { w: 640, quality: 'small', grayscale: true, flip: false, blur: undefined }
    expect(deliveryPath('photos/a.jpg', operations)).toBe('/grayscale;quality=small;w=640/photos/a.jpg')
    expect(deliveryPath('photos/a.jpg', { w: 640, grayscale: true, quality: 'small' })).toBe(
      deliveryPath('photos/a.jpg', operations),
    )
  })

  it('writes a hyphen where nothing is asked for', () => {
    expect(deliveryPath('output/0123')).toBe('/-/output/0123')
  })

  it('writes a URL in the Base64 of URLs, whatever characters it has', () => {
    const url = 'https://example.com/ä b.jpg?x=1&y=ü'
    const [, , name, encoded] = deliveryPath(url).split('/')
    expect([name, Buffer.from(encoded!, 'base64url').toString()]).toEqual(['url', url])
    expect(encoded).toMatch(/^[\w-]+$/)
  })

  it('encodes what means something in a URL, an attribute, a srcset or a stylesheet', () => {
    expect(deliveryPath(`photos/a b,"c'(d)&e?f#g%h!.jpg`, { w: '*', position: '0.3,0.6' })).toBe(
      '/position=0.3%2C0.6;w=*/photos/a%20b%2C%22c%27%28d%29%26e%3Ff%23g%25h%21.jpg',
    )
    expect(deliveryPath('photos/日本.png')).toBe('/-/photos/%E6%97%A5%E6%9C%AC.png')
  })

  it.each(['', 'photos//a.jpg', 'photos/../a.jpg', './a.jpg', 'photos/'])('refuses the source %j', (source) => {
    expect(() => deliveryPath(source)).toThrow(TypeError)
  })

  it('refuses what is no word of an operation', () => {
    expect(() => deliveryPath('photos/a.jpg', { 'w=1;h': 2 })).toThrow(failure('TypeError', "'w=1;h'"))
  })
})

describe('sign', () => {
  it('is HMAC-SHA-256 of the purpose and the path, in the Base64 of URLs', async () => {
    const path = '/w=640/photos/a.jpg'
    const expected = createHmac('sha256', key).update(`pixpress-delivery-1\n${path}`).digest('base64url')
    expect(await sign(path, key)).toBe(expected)
  })

  it('refuses a short key, and does not show it', async () => {
    const refused = await sign('/-/a/b', 'too short').catch((error: unknown) => error as Error)
    expect(refused).toBeInstanceOf(TypeError)
    expect((refused as Error).message).toContain('32 characters')
  })
})

describe('a template', () => {
  it('is signed once, and gives the URL of each width', async () => {
    const template = await deliveryUrl('photos/a.jpg', { w: '*', quality: 70 }, options)
    const signature = await sign('/quality=70;w=*/photos/a.jpg', key)
    expect(template).toBe(`https://images.example.com/i/${signature}/quality=70;w=*/photos/a.jpg`)
    expect(atWidth(template, 640)).toBe(`https://images.example.com/i/${signature}/quality=70;w=640/photos/a.jpg`)
    expect(srcset(template, [320, 640])).toBe(`${atWidth(template, 320)} 320w, ${atWidth(template, 640)} 640w`)
  })

  it('gets the next width of the server for any other, each once in a srcset', () => {
    const widths = ['100', '640', '641', '9999'].map((width) => atWidth('/i/s/w=*/photos/a.jpg', Number(width)))
    expect(widths).toEqual([128, 640, 750, 3840].map((width) => `/i/s/w=${width}/photos/a.jpg`))
    expect(atWidth('/i/s/w=*/photos/a.jpg', 100, [300, 200])).toBe('/i/s/w=200/photos/a.jpg')
    expect(srcset('/i/s/w=*/a/b', [100, 120, 500], [128, 400])).toBe('/i/s/w=128/a/b 128w, /i/s/w=400/a/b 400w')
  })

  it('is at a path of the own origin too', async () => {
    expect(await deliveryUrl('photos/a.jpg', {}, { endpoint: '/images', key })).toMatch(
      /^\/images\/i\/[\w-]{43}\/-\/photos\/a\.jpg$/,
    )
  })
})
