import { expect } from 'vitest'
import { describeTemplate, templateFiles } from '../browser/template.ts'
import { createBundlerProject, drive } from './build.ts'
import type { BuildResult } from './build.ts'

/** Builds the page without the plugin into `plain`, and with it into `auto`. */
const BUILD_BOTH = `
const path = await import('node:path')
const { default: HtmlWebpackPlugin } = await import('html-webpack-plugin')
const results = []
for (const folder of ['plain', 'auto']) {
  const config = configuration(tools, { convert: 'auto' }, {
    rules: [
      { test: /\\.html$/, loader: 'html-loader' },
      { test: /\\.(?:png|jpg)$/, type: 'asset/resource' },
    ],
    plugins: [new HtmlWebpackPlugin({ template: './index.html' })],
    output: { path: path.resolve(folder), assetModuleFilename: 'images/[name].[contenthash:8][ext]' },
  })
  if (folder === 'plain') config.plugins.shift()
  results.push(await run(bundler(config)))
}
return results`

describeTemplate('webpack', async () => {
  const project = await createBundlerProject('webpack', 'template', await templateFiles())
  const results = await drive<BuildResult[]>(project, 'webpack', BUILD_BOTH)
  expect(results.map(({ errors, warnings }) => ({ errors, warnings }))).toEqual([
    { errors: [], warnings: [] },
    { errors: [], warnings: [] },
  ])
  return project
})
