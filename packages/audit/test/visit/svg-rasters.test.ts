import { describe, expect, it } from 'vitest'
import { rastersIn } from '../../src/visit/svg-rasters.ts'

const inside = (text: string): ReturnType<typeof rastersIn> => rastersIn(Buffer.from(`<svg>${text}</svg>`))

describe('rastersIn', () => {
  it('counts images of pixels, and the bytes that they take in the SVG', () => {
    const png = `data:image/png;base64,${'A'.repeat(100)}`
    const jpeg = 'data:image/jpg;base64,AAAA\nBBBB'
    expect(inside(`<image href="${png}"/><rect style="fill:url(${jpeg})"/><image xlink:href='${png}'/>`)).toEqual({
      count: 3,
      bytes: 2 * png.length + jpeg.length,
      types: ['jpeg', 'png'],
    })
  })

  it('knows SVGs in SVGs, and fonts, for none', () => {
    expect(
      inside(
        '<image href="data:image/svg+xml,%3Csvg/%3E"/><style>@font-face { src: url(data:font/woff;base64,AA) }</style>',
      ),
    ).toBeUndefined()
  })
})
