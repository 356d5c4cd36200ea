import { danglingReferences, readReferences, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { serveFolder } from '../browser/servers.ts'
import type { Server } from '../browser/servers.ts'
import { WINDOWS, expectSameLook, templateFiles } from '../browser/template.ts'
import { createBundlerProject, drive, emittedImages } from './build.ts'
import type { BuildResult } from './build.ts'

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)("a template's page that webpack builds with convert: 'auto'", () => {
  let project: Project
  let browser: Browser
  const servers: Record<string, Server> = {}

  beforeAll(async () => {
    project = await createBundlerProject('webpack', 'template', await templateFiles())
    const results = await drive<BuildResult[]>(project, 'webpack', BUILD_BOTH)
    expect(results.map(({ errors, warnings }) => ({ errors, warnings }))).toEqual([
      { errors: [], warnings: [] },
      { errors: [], warnings: [] },
    ])
    for (const folder of ['plain', 'auto']) servers[folder] = await serveFolder(project.path(folder))
    browser = await launch(executable!)
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(Object.values(servers).map((server) => server.close()))
    await project?.dispose()
  })

  it('refers to every image that is there, and to none that is not', async () => {
    const references = await readReferences(project.path('auto'))
    expect(danglingReferences(references)).toEqual([])
    const targets = new Set(references.map(({ target }) => target))
    const emitted = await emittedImages(project, 'auto')
    expect(emitted.filter((name) => !targets.has(name))).toEqual([])
    // Each source is there in its own type, and one that can be smaller in another besides.
    const sources = await project.list('src/images')
    expect(emitted.filter((name) => /\.(?:png|jpg)$/.test(name)).length).toBe(sources.length)
    expect(emitted.length).toBeGreaterThan(sources.length * 1.5)
  })

  it.each(WINDOWS)('keeps every box and style in a window $width pixels wide', (viewport) =>
    expectSameLook(browser, servers['plain']!.url, servers['auto']!.url, viewport),
  )
})

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
