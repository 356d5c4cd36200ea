import { rm } from 'node:fs/promises'
import { danglingReferences, readReferences, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { serveFolder } from '../browser/servers.ts'
import { WINDOWS, expectSameLook, templateFiles } from '../browser/template.ts'
import { build, copyStarter, install, packPackages } from './install.ts'

const executable = requireTool('chromium')

it.skipIf(executable === undefined)(
  "Astro's template builds with convert: 'auto', and nothing of its page changes but URLs",
  async ({ skip, task }) => {
    const tarballs = await packPackages()
    const project = await copyStarter({ name: 'Astro', folder: 'astro-template' }, tarballs)
    const browser = await launch(executable!)
    try {
      const { 'index.html': page, 'src/main.js': _, 'package.json': __, ...files } = await templateFiles()
      for (const [name, data] of Object.entries(files)) await project.write(name, data)
      await project.write('src/pages/index.astro', astroPage(page!.toString()))
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      await build(project)

      expect(danglingReferences(await readReferences(project.path('auto')))).toEqual([])
      const html = await project.readText('auto/index.html')
      const plain = await project.readText('plain/index.html')
      const urls = /[^"\s(,]+\.(?:avif|css|gif|jpe?g|png|webp)(?=[")\s,])/g
      expect(html.replaceAll(urls, '')).toBe(plain.replaceAll(urls, ''))
      const converted = html.match(urls)!.filter((url) => /\.(?:avif|webp)$/.test(url))
      // The others are logos of a few colours, which are smallest as PNG.
      expect(converted.length).toBeGreaterThanOrEqual(15)
      await compare(project)
      task.meta.summary = `${converted.length} images in another format`
    } finally {
      await browser.close()
      await project.dispose()
      await rm(tarballs.folder, { recursive: true, force: true })
    }

    async function compare({ path }: Project): Promise<void> {
      const servers = await Promise.all(['plain', 'auto'].map((folder) => serveFolder(path(folder))))
      const [plain, auto] = servers.map(({ url }) => url)
      try {
        for (const viewport of WINDOWS) await expectSameLook(browser, plain!, auto!, viewport)
      } finally {
        await Promise.all(servers.map((server) => server.close()))
      }
    }
  },
)

/** The page as a component: Astro takes up images that are imported. */
function astroPage(html: string): string {
  const body = html.replaceAll(/="([^"]*\.\/src\/images\/[^"]*)"/g, (_, value: string) => {
    const urls = value.replaceAll(/\.\/src\/images\/([\w.-]+)/g, (__, name: string) => `\${url('${name}')}`)
    return `={\`${urls}\`}`
  })
  return `---
import '../style.css'
const images = import.meta.glob('../images/*', { eager: true, import: 'default' })
const url = (name) => images[\`../images/\${name}\`].src
---
${body}`
}
