import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createBundlerProject, drive } from './build.ts'
import type { BuildResult, Bundler } from './build.ts'

const RULE = 'p picture > img { margin: 0 }'
const SPARED = 'p picture:where(:not([data-pixpress])) > img { margin: 0 }'

interface Built {
  /** The stylesheet's name. */
  readonly name: string
  readonly css: string
  readonly html: string
  readonly report: string
}

/**
 * Builds a page and its stylesheet once for each kind of name, which is JavaScript of the configuration's
 * `optimization`.
 */
async function build(
  bundler: Bundler,
  names: readonly { readonly filename: string; readonly optimization: string }[],
): Promise<Built[]> {
  const project = await createBundlerProject(bundler, 'picture-selectors', {
    'index.html': '<!doctype html><html><head></head><body><p><img src="./src/a.png"></p></body></html>',
    'src/a.png': await photo(120, 90).png(),
    'src/main.js': `import './style.css'`,
    'src/style.css': RULE,
  })
  try {
    const built: Built[] = []
    for (const { filename, optimization } of names) {
      const results = await drive<BuildResult[]>(
        project,
        bundler,
        `const { default: HtmlWebpackPlugin } = await import('html-webpack-plugin')
        const config = configuration(tools, { convert: 'auto', report: { json: 'report.json' } }, {
          rules: [{ test: /\\.html$/, loader: 'html-loader' }],
          plugins: [new HtmlWebpackPlugin({ template: './index.html' })],
          optimization: ${optimization},
        })
        config.plugins[1] = new tools.ExtractCss({ filename: '${filename}' })
        return [await run(bundler(config))]`,
      )
      expect(results.map(({ errors, warnings }) => [errors, warnings])).toEqual([[[], []]])
      const name = (await project.list('dist')).find((file) => file.endsWith('.css'))!
      const [css, html] = [await project.readText(`dist/${name}`), await project.readText('dist/index.html')]
      built.push({ name, css, html, report: await project.readText('report.json') })
    }
    return built
  } finally {
    await project.dispose()
  }
}

describe.each(['webpack', 'rspack'] as const)('rules on pictures with %s', (bundler) => {
  it('leave added pictures alone unless the stylesheet has a name of what it was before', async () => {
    const [plain, again, before, chunk] = await build(bundler, [
      { filename: '[name].css', optimization: '{ minimize: false }' },
      { filename: '[name].[contenthash].css', optimization: '{ minimize: false, realContentHash: true }' },
      { filename: '[name].[contenthash].css', optimization: '{ minimize: false, realContentHash: false }' },
      { filename: '[name].[chunkhash].css', optimization: '{ minimize: false, realContentHash: true }' },
    ])
    for (const { css, html } of [plain!, again!]) {
      expect(css).toContain(SPARED)
      expect(html).toContain('<p><picture data-pixpress')
    }
    for (const { css, html, report } of [before!, chunk!]) {
      expect(css).toContain(RULE)
      expect(html).not.toContain('<picture')
      expect(report).toContain('picture > img')
    }
    expect(again!.name).not.toBe(before!.name)
  })
})
