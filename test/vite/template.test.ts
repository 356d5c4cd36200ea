import { createProject, danglingReferences, readReferences, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { serveFolder } from '../browser/servers.ts'
import type { Server } from '../browser/servers.ts'
import { WINDOWS, expectSameLook, templateFiles } from '../browser/template.ts'
import { buildProject } from './build.ts'

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)("a template's page that Vite builds with convert: 'auto'", () => {
  let project: Project
  let browser: Browser
  const servers: Record<string, Server> = {}

  beforeAll(async () => {
    project = await createProject('vite-template', {
      packages: ['unplugin-pixpress', 'vite'],
      files: await templateFiles('<script type="module" src="./src/main.js"></script>'),
    })
    for (const [folder, options] of [
      ['plain', '{ include: /^$/, publicDir: false }'],
      ['auto', `{ convert: 'auto' }`],
    ] as const) {
      const { warnings, error } = await buildProject(project, { options, config: configOf(folder) })
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
const configOf = (outDir: string): string =>
  `{ build: { outDir: '${outDir}', target: 'esnext', assetsInlineLimit: 0 } }`
