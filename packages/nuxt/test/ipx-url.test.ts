import { describe, expect, it } from 'vitest'
import { parseIpxPath } from '../src/ipx-url.ts'

describe('parseIpxPath', () => {
  it.each([
    ['/_/icon.png', 'icon.png', { fit: 'cover' }],
    ['/w_320&f_webp/photos/a b.jpg', 'photos/a b.jpg', { width: 320, type: 'image/webp' }],
    ['/s_200x100,fit_inside/a.jpg', 'a.jpg', { width: 200, height: 100, fit: 'inside' }],
    ['/q_60&b_ff0000&f_jpg/a.png', 'a.png', { quality: 60, background: '#ff0000', type: 'image/jpeg' }],
    ['/q_small/https://example.com/a%20b.jpg', 'https://example.com/a b.jpg', { quality: 'small' }],
    ['/quality_70&width_10.6/a.png', 'a.png', { quality: 70, width: 11 }],
  ])('reads %s', (text, src, asked) => {
    expect(parseIpxPath(text)).toMatchObject({ src, asked })
  })

  it.each([
    ['/w_320', /names no image/],
    ['/blur_5/a.png', /modifier 'blur' is not supported/],
    ['/fit_fill&s_1x1/a.png', /'fill' of 'fit'.*cover or inside/],
    ['/pos_top/a.png', /position 'top'/],
    ['/w_wide/a.png', /pixels for 'width', got 'wide'/],
    ['/f_gif/a.png', /format 'gif'/],
  ])('refuses %s in one sentence', (text, message) => {
    expect(() => parseIpxPath(text)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(() => parseIpxPath(text)).toThrow(message)
  })
})
