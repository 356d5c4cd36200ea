import { describe, expect, it } from 'vitest'
import { createStylesheetPlugin } from '../../../src/bundlers/postcss.ts'
import { checkOptions } from '../../../src/session/options/check-options.ts'

describe('checkOptions', () => {
  it("takes a bundler's own options for that bundler alone", () => {
    const options = { publicPath: '/static/' } as object
    expect(() => checkOptions(options, 'rollup')).not.toThrow()
    expect(() => checkOptions(options, 'rolldown')).not.toThrow()
    expect(() => checkOptions(options, 'vite')).toThrow("Unknown option 'publicPath'. Did you mean 'publicDir'?")
    expect(() => checkOptions(options)).toThrow("Unknown option 'publicPath'. Did you mean 'publicDir'?")
  })

  it('speaks for the PostCSS plugin too', () => {
    expect(() => createStylesheetPlugin({ qualty: 80 } as object)).toThrow(
      expect.objectContaining({ stack: "PixpressError: Unknown option 'qualty'. Did you mean 'quality'?" }),
    )
  })
})
