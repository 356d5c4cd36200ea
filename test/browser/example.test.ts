import { cp, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'

const executable = requireTool('chromium')
const examples = path.resolve(import.meta.dirname, '../../examples')

const isSource = (file: string): boolean => !/[\\/](?:node_modules|dist|\.cache)$/.test(file)

describe.skipIf(executable === undefined)('the page of the example', () => {
  let browser: Browser
  let project: Project
  let server: Server

  beforeAll(async () => {
    project = await createProject('example', { packages: ['unplugin-pixpress', 'vite'] })
    await cp(path.join(examples, 'vite'), project.path('site/vite'), { recursive: true, filter: isSource })
    await cp(path.join(examples, 'images'), project.path('site/images'), { recursive: true })
    await shrinkImages(project.path('site/images'))
    const built = await project.run(
      "import { build } from 'vite'\nawait build({ root: 'site/vite', configFile: 'site/vite/vite.config.js' })",
    )
    expect(built.code, built.stderr).toBe(0)
    server = await serveFolder(project.path('site/vite/dist'))
    browser = await launch(executable!)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await project?.dispose()
  })

  it.each([390, 320, 768, 1280])(
    'has no sideways scrolling %i pixels wide, and shows what was saved',
    async (width) => {
      const page = await browser.newPage({ viewport: { width, height: 844 } })
      await page.goto(server.url, { waitUntil: 'load' })
      await page.waitForSelector('.saved:not([hidden])')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      const { totals } = JSON.parse(await project.readText('site/vite/dist/report.json')) as {
        totals: { images: number; ratio: number }
      }
      const text = await page.locator('.saved').innerText()
      expect(text).toContain(`${Math.round((1 - totals.ratio) * 100)} % saved`)
      expect(text).toContain(`${totals.images} images`)
      await page.close()
    },
  )
})

/** Few pixels build in seconds, and the page lays out the same. */
async function shrinkImages(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:jpg|png|webp)$/.test(name)) continue
    const file = path.join(folder, name)
    await writeFile(file, await sharp(file).resize(120, 120, { fit: 'inside' }).toBuffer())
  }
}
