import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { pictureParts } from '../../src/components/picture-parts.ts'
import { toHtml } from '../../src/html.ts'

const IMG = { src: '/a.jpg?a=1&b=2', w: 40, h: 30 }

describe('toHtml', () => {
  it('escapes every value, and refuses a name that would end the tag', () => {
    const html = toHtml(IMG, { alt: '"><script>alert(1)</script>', title: "it's" })
    expect(html).toBe(
      '<img loading="lazy" decoding="async" alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" title="it\'s"' +
        ' src="/a.jpg?a=1&amp;b=2" width="40" height="30">',
    )
    expect(() => toHtml(IMG, { alt: '', 'x onload': 'y' })).toThrow(failure('TypeError', "'x onload'"))
  })

  it('keeps attributes, writes flags alone and leaves out what is off', () => {
    const html = toHtml(IMG, { alt: '', hidden: true, draggable: false, id: undefined, width: 20, loading: 'eager' })
    expect(html).toBe(
      '<img loading="eager" decoding="async" alt="" hidden width="20" src="/a.jpg?a=1&amp;b=2" height="30">',
    )
  })

  it('puts a style of its caller behind the placeholder', () => {
    const html = toHtml({ ...IMG, placeholder: 'data:x', color: '#123456' }, { alt: '', style: 'color:red' })
    expect(html).toContain(' style="background:url(data:x) center/cover no-repeat;color:red"')
    expect(html).not.toContain('onload')
  })

  it('takes the placeholder of what is not opaque away once the image is there', () => {
    const html = toHtml({ ...IMG, placeholder: 'data:x', color: '#12345680' }, { alt: '' })
    expect(html).toContain(` onload="this.style.background=''"`)
  })

  it('writes the placeholder as a rule with the nonce, and none of an image with transparency', () => {
    const image = { src: '/a".avif</style>', w: 40, h: 30, placeholder: 'data:x', color: '#123456' }
    const html = toHtml(image, { alt: '', nonce: 'abc' })
    expect(html).toMatch(
      /^<style nonce="abc">img\[src="\/a\\22 \.avif\\3c \/style>"\]\{background:url\(data:x\) center\/cover no-repeat\}<\/style><img /,
    )
    expect(toHtml({ ...image, color: '#12345680' }, { alt: '', nonce: 'abc' })).toMatch(/^<img /)
  })

  it('has handlers that set src remove the sources first, and leaves other handlers alone', () => {
    const handlers = { alt: '', onerror: "this.src='/b.png'", onclick: 'open()' }
    const html = toHtml({ sources: { avif: '/a.avif' }, img: IMG }, handlers)
    expect(html).toMatch(/ onerror="this\.removeAttribute.*remove\(\);this\.src='\/b\.png'" onclick="open\(\)"/)
    expect(toHtml(IMG, handlers)).toContain(` onerror="this.src='/b.png'" `)
  })

  it('leaves out a size that is not known', () => {
    expect(toHtml({ src: '/a.svg', w: 0, h: 0 }, { alt: '' })).not.toMatch(/width|height/)
  })
})

describe('pictureParts', () => {
  it('has no source for an image of one', () => {
    expect(pictureParts({ sources: {}, img: IMG })).toEqual({
      sources: [],
      img: { src: IMG.src, width: 40, height: 30 },
      background: undefined,
      seeThrough: false,
    })
  })
})

describe('sizes=auto', () => {
  const PICTURE = { sources: { avif: '/a.avif 320w, /b.avif 640w' }, img: IMG }

  it('stands on the sources and on the <img>, without which browsers ignore it', () => {
    const { sources, img } = pictureParts(PICTURE, 'auto')
    expect([sources[0]?.sizes, img.sizes]).toEqual(['auto, 100vw', 'auto, 100vw'])
    expect(pictureParts({ ...IMG, srcset: '/a 320w, /b 640w' }, 'AUTO').img.sizes).toBe('auto, 100vw')
    expect(pictureParts(PICTURE, '50vw').img.sizes).toBeUndefined()
    expect(pictureParts(IMG, 'auto').img.sizes).toBeUndefined()
  })

  it("keeps a fallback of the caller's own", () => {
    const { sources, img } = pictureParts(PICTURE, 'auto, 50vw')
    expect([sources[0]?.sizes, img.sizes]).toEqual(['auto, 50vw', 'auto, 50vw'])
  })

  it('is the width of the screen for what is not loaded lazily', () => {
    expect(toHtml(PICTURE, { alt: '', sizes: 'auto' })).toContain(
      '<source type="image/avif" srcset="/a.avif 320w, /b.avif 640w" sizes="auto, 100vw"><img loading="lazy"',
    )
    for (const urgent of [{ loading: 'eager' }, { fetchpriority: 'high' }] as const) {
      const html = toHtml(PICTURE, { alt: '', sizes: 'auto', ...urgent })
      expect(html).toContain('sizes="100vw"')
      expect(html).not.toContain('auto')
    }
  })
})
