import { describe, expect, it } from 'vitest'
import { changeConfiguration } from '../../src/project/configuration.ts'
import { applyEdits } from '../../src/script/edits.ts'
import { TOOLS } from '../../src/tools/tools.ts'
import type { ToolName } from '../../src/tools/tools.ts'

/** The script with its change, which has nothing left to a person. */
function changed(code: string, tool: ToolName, file = 'vite.config.js'): string {
  const { edits, byHand } = changeConfiguration(code, file, TOOLS[tool], undefined)!
  expect(byHand).toEqual([])
  return applyEdits(code, edits)
}

/** The minimizers of a configuration, and its end. */
const minimizers = (items: string): string =>
  `  optimization: {\n    minimizer: [\n      new Terser(), // scripts\n${items}    ],\n  },\n}\n`

const VITE = "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'"
const OURS = "import pixpress from 'unplugin-pixpress/vite'"

/** A configuration with one plugin. @param comma behind the list of plugins */
const configured = (call: string, comma: string): string => `\nexport default {\n  plugins: [${call}]${comma}\n}\n`

describe('changeConfiguration', () => {
  it('keeps comments on the options that stay, and drops those on options that go', () => {
    const code = `${VITE} // images
export default {
  plugins: [
    // the last one
    ViteImageOptimizer({
      // WebP is small already
      exclude: /\\.webp$/, // by hand
      /* as photographers want it */
      jpg: { quality: 90 }, // high
      /*
       * shown in CI
       */
      logStats: false,
      // svg: false,
    }), // keep it last
  ],
}
`
    expect(changed(code, 'image-optimizer')).toBe(`${OURS} // images
export default {
  plugins: [
    // the last one
    pixpress({
      // WebP is small already
      exclude: /\\.webp$/, // by hand
      /*
       * shown in CI
       */
      report: false,
      // svg: false,
    }), // keep it last
  ],
}
`)
  })

  it.each([
    ['', ''],
    [',', ','],
  ])("keeps the author's way with the last option: '%s'", (comma, kept) => {
    const call = `ViteImageOptimizer({\n    // WebP\n    exclude: /a/,\n    logStats: false${comma} // CI\n  })`
    expect(changed(`${VITE}${configured(call, '')}`, 'image-optimizer')).toBe(
      `${OURS}${configured(`pixpress({\n    // WebP\n    exclude: /a/,\n    report: false${kept} // CI\n  })`, '')}`,
    )
  })

  it("goes by the rest of the file where a call's options stood on one line", () => {
    const long = `exclude: ['${'a'.repeat(60)}', '${'b'.repeat(60)}']`
    for (const comma of ['', ',']) {
      const before = `${VITE}${configured(`ViteImageOptimizer({ ${long}, logStats: false })`, comma)}`
      const call = `pixpress({\n    ${long},\n    report: false${comma}\n  })`
      expect(changed(before, 'image-optimizer')).toBe(`${OURS}${configured(call, comma)}`)
    }
  })

  it.each([
    ["mode: 'development', ", '', true],
    ["mode: 'production', ", '', false],
    ['', '', false],
    ["mode: 'development', ", 'minimize: true, ', false],
    ["mode: isDev ? 'development' : 'production', ", '', false],
  ])('says that the plugin works in development where a minimizer rested: %s%s', (mode, minimize, isSaid) => {
    const code = `const Images = require('image-minimizer-webpack-plugin')
module.exports = { ${mode}optimization: { ${minimize}minimizer: [new Images()] }, plugins: [] }
`
    const { leftOut, byHand } = changeConfiguration(code, 'webpack.dev.js', TOOLS['image-minimizer'], undefined)!
    expect(byHand).toEqual([])
    const said = leftOut.map(({ at, text }) => [code.slice(at).split(',')[0], text])
    expect(said).toEqual(isSaid ? [["'development'", expect.stringContaining('pixpress() works there too')]] : [])
  })

  it.each(['true', 'false', 'isBuild'])('leaves their `loader: %s` out', (loader) => {
    const code = `const Images = require('image-minimizer-webpack-plugin')
module.exports = { optimization: { minimizer: [new Images({ loader: ${loader} })] } }
`
    expect(changed(code, 'image-minimizer', 'webpack.config.js')).toContain('plugins: [pixpress()]')
  })

  it('leaves a rule with their loader to a person', () => {
    const code = `const Images = require('image-minimizer-webpack-plugin')
module.exports = {
  module: { rules: [{ test: /png/, use: [{ loader: Images.loader }] }] },
  optimization: { minimizer: [new Images({ loader: false })] },
}
`
    const { byHand } = changeConfiguration(code, 'webpack.config.js', TOOLS['image-minimizer'], undefined)!
    expect(byHand).toHaveLength(1)
  })

  it('takes no cache that is off by default there', () => {
    expect(changed(`${VITE}\nexport default [ViteImageOptimizer({ cache: false })]\n`, 'image-optimizer')).toBe(
      `${OURS}\nexport default [pixpress()]\n`,
    )
  })

  it('keeps a comment where no option is left', () => {
    expect(changed(`${VITE}\nexport default [ViteImageOptimizer({ /* later */ })]\n`, 'image-optimizer')).toBe(
      `${OURS}\nexport default [pixpress({\n  /* later */\n})]\n`,
    )
    expect(changed(`${VITE}\nexport default [ViteImageOptimizer({ png: {} /* soft */ })]\n`, 'image-optimizer')).toBe(
      `${OURS}\nexport default [pixpress()]\n`,
    )
  })

  it.each([
    [
      'below the other plugins',
      '  plugins: [\n    new Html(), // pages\n  ],\n',
      '  plugins: [\n    new Html(),\n    // images\n    // once\n    pixpress({\n      // slow\n      concurrency: 1,\n    }), // pages\n  ],\n',
    ],
    [
      'on their line',
      '  plugins: [new Html()],\n',
      '  plugins: [new Html(), /* images */ /* once */ pixpress({\n    // slow\n    concurrency: 1,\n  })],\n',
    ],
    [
      'in a list of its own',
      '',
      '  // images\n  // once\n  plugins: [pixpress({\n    // slow\n    concurrency: 1,\n  })],\n',
    ],
  ])('takes the comments along that stand at a minimizer: %s', (_, before, after) => {
    const code = `const Images = require('image-minimizer-webpack-plugin')\nmodule.exports = {\n${before}${minimizers(
      '      // images\n      new Images({\n        // slow\n        concurrency: 1,\n      }), // once\n',
    )}`
    expect(changed(code, 'image-minimizer', 'webpack.config.js')).toBe(
      `const pixpress = require('unplugin-pixpress/webpack')\nmodule.exports = {\n${after}${minimizers('')}`,
    )
  })

  it('keeps the comment on the item before where the comma there goes', () => {
    const code = `${VITE}
${OURS}
export default [
  vue(), // pages
  pixpress(), // all
  ViteImageOptimizer()
]
`
    expect(changed(code, 'image-optimizer')).toBe(`${OURS}
export default [
  vue(), // pages
  pixpress() // all
]
`)
  })

  it.each([
    ["craco's plugins", 'webpack: { plugins: { add: [\n  $,\n  b()\n] } }'],
    ["craco's plugins as a list", 'webpack: { plugins: [$] }'],
    ['the plugins of webpack', 'plugins: [a(), $]'],
  ])('replaces a minimizer that stands among %s where it is', (_, members) => {
    const head = "const Images = require('image-minimizer-webpack-plugin')\nmodule.exports = { "
    const before = `${head}${members.replace('$', 'new Images({ minimizer: { implementation: Images.sharpMinify } })')} }`
    const after = `const pixpress = require('unplugin-pixpress/webpack')\nmodule.exports = { ${members.replace('$', 'pixpress()')} }`
    expect(changed(before, 'image-minimizer', 'craco.config.js')).toBe(after)
  })

  it('leaves a minimizer in any other list to a person', () => {
    const code =
      "const Images = require('image-minimizer-webpack-plugin')\nmodule.exports = { others: { add: [new Images()] } }"
    expect(changeConfiguration(code, 'webpack.config.js', TOOLS['image-minimizer'], undefined)).toMatchObject({
      edits: [],
      byHand: [{ text: expect.stringContaining("'plugins'") }],
    })
  })
})
