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
    ['/s_30x20&fit_contain&b_fff000/a.png', 'a.png', { fit: 'contain', background: '#fff000' }],
    ['/s_30x20&fit_fill&enlarge_true/a.png', 'a.png', { fit: 'fill', enlarge: true }],
    ['/s_30x20&enlarge_false/a.png', 'a.png', { enlarge: undefined }],
    ['/s_30x20&pos_left%20top/a.png', 'a.png', { fit: 'cover', position: 'left top' }],
    ['/s_30x20&position_entropy/a.png', 'a.png', { position: 'entropy' }],
    ['/rotate_90&flip_true&flop/a.png', 'a.png', { adjust: { rotate: 90, flip: true, flop: true } }],
    [
      '/blur_5,median_3,tint_0f0,negate,normalise,greyscale/a.png',
      'a.png',
      { adjust: { blur: 5, median: 3, tint: '#00ff00', invert: true, normalize: true, grayscale: true } },
    ],
  ])('reads %s', (text, src, asked) => {
    expect(parseIpxPath(text)).toMatchObject({ src, asked })
  })

  it.each([
    ['/w_320', /names no image/],
    ['/sharpen_5/a.png', /modifier 'sharpen' is not supported/],
    ['/fit_outside&s_1x1/a.png', /'outside' of 'fit'.*'cover', .*'inside'/],
    ['/pos_topp/a.png', /'position' but received 'topp'.*Did you mean 'top'/],
    ['/rotate_left/a.png', /'rotate' but received 'left'/],
    ['/w_wide/a.png', /pixels for 'width', got 'wide'/],
    ['/f_gif/a.png', /format 'gif'/],
  ])('refuses %s in one sentence', (text, message) => {
    expect(() => parseIpxPath(text)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(() => parseIpxPath(text)).toThrow(message)
  })
})
