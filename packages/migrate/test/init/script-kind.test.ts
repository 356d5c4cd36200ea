import { describe, expect, it } from 'vitest'
import { scriptKind } from '../../src/init/script-kind.ts'

describe('scriptKind', () => {
  it.each([
    ['webpack.config.js', "const a = require('a')\nmodule.exports = {}", 'commonjs'],
    ['webpack.config.ts', 'module.exports = {}', 'commonjs'],
    ['build.js', 'exports.build = () => 1', 'commonjs'],
    ['build.js', "const a = require('a')\nimport('b').then(a)", 'commonjs'],
    ['rollup.config.cjs', '', 'commonjs'],
    ['vite.config.js', "import a from 'a'\nexport default {}", 'esm'],
    ['vite.config.js', "import { createRequire } from 'node:module'\nconst a = require('a')", 'esm'],
    ['vite.config.mjs', "const text = 'module.exports'", 'esm'],
    ['vite.config.js', '// module.exports = {}', 'esm'],
    ['webpack.config.cts', '', 'commonjs'],
  ])('tells that of %s with %j', (file, code, kind) => {
    expect(scriptKind(file, code, 'esm')).toBe(kind)
  })

  it("follows the project's type where neither the name nor the code tells it", () => {
    expect(scriptKind('webpack.config.js', 'const a = 1', 'commonjs')).toBe('commonjs')
    expect(scriptKind('webpack.config.js', 'const a = 1', 'esm')).toBe('esm')
    expect(scriptKind('webpack.config.ts', 'const a = 1', 'commonjs')).toBe('esm')
    expect(scriptKind('vite.config.mjs', '', 'commonjs')).toBe('esm')
  })
})
