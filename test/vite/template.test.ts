import { createProject, danglingReferences, readReferences, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { serveFolder } from '../browser/servers.ts'
import type { Server } from '../browser/servers.ts'
import { WINDOWS, expectSameLook, templateFiles } from '../browser/template.ts'
import { VITES, buildProject } from './build.ts'

/** Who compiles stylesheets, and who minifies them. */
const COMPILERS = {
  PostCSS: `cssMinify: 'esbuild'`,
  'Lightning CSS': `cssMinify: 'lightningcss'`,
} as const
type Compiler = keyof typeof COMPILERS

const executable = requireTool('chromium')

describe.skipIf(executable === undefined).each([
  ['vite', 'PostCSS'],
  ['vite', 'Lightning CSS'],
  ['vite6', 'PostCSS'],
] as const)("a template's page that %s builds with convert: 'auto' and %s", (vite, compiler) => {
  let project: Project
  let browser: Browser
  const servers: Record<string, Server> = {}

  beforeAll(async () => {
    project = await createProject(`${vite}-template`, {
      packages: ['unplugin-pixpress', 'esbuild', ...VITES],
      files: await templateFiles(),
    })
    for (const [folder, options] of [
      ['plain', '{ include: /^$/, publicDir: false }'],
      ['auto', `{ convert: 'auto' }`],
    ] as const) {
      const { warnings, error } = await buildProject(project, { vite, options, config: configOf(folder, compiler) })
      expect([error, warnings]).toEqual([undefined, []])
      servers[folder] = await serveFolder(project.path(folder))
    }
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
    const emitted = (await project.list('auto')).filter((file) => /\.(?:png|jpg|webp|avif)$/.test(file))
    expect(emitted.filter((name) => !targets.has(name))).toEqual([])
    expect(emitted.length).toBeGreaterThan((await project.list('src/images')).length * 1.5)
  })

  it.each(WINDOWS)('keeps every box and style in a window $width pixels wide', (viewport) =>
    expectSameLook(browser, servers['plain']!.url, servers['auto']!.url, viewport),
  )
})

/** No image is put into scripts, and no browser is known, so that those of scripts keep their type. */
const configOf = (outDir: string, compiler: Compiler): string => `{
  ${compiler === 'PostCSS' ? '' : `css: { transformer: 'lightningcss' },`}
  build: {
    outDir: '${outDir}',
    target: 'esnext',
    ${COMPILERS[compiler]},
    assetsInlineLimit: 0,
    rollupOptions: { output: { assetFileNames: 'assets/[name].[hash][extname]' } },
  },
}`
