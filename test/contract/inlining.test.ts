import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, readOutput } from './build.ts'
import { carries } from './capabilities.ts'
import type { Bundler } from './capabilities.ts'

/** Below it, bundlers make `data:` URLs. */
const LIMIT = 4096

/** The limit of Bun for stylesheets, which no option changes. */
const LIMIT_OF_BUN = 128 * 1024

/** References of scripts, by the name of the image. */
const IN_SCRIPTS: Readonly<Record<string, (file: string, name: string) => string>> = {
  imported: (file, name) => `import ${name} from './${file}'\nsite.push(${name})`,
  dynamic: (file) => `site.push(import('./${file}'))`,
  address: (file) => `site.push(new URL('./${file}', import.meta.url))`,
}
const IN_STYLES: Readonly<Record<string, (file: string) => string>> = {
  background: (file) => `.a { background: url(./${file}) }`,
  imageset: (file) => `.b { background: image-set(url(./${file}) 1x) }`,
  masked: (file) => `.c { mask: url(./${file}#shape) }`,
}
const IN_PAGES: Readonly<Record<string, (url: string) => string>> = {
  shown: (url) => `<img src="${url}" alt="">`,
  candidate: (url) => `<img srcset="${url} 2x" alt="">`,
  object: (url) => `<object data="${url}"></object>`,
  embedded: (url) => `<embed src="${url}">`,
  used: (url) => `<svg><use href="${url}#shape"></use></svg>`,
  whole: (url) => `<svg><use href="${url}"></use></svg>`,
  poster: (url) => `<video poster="${url}"></video>`,
  favicon: (url) => `<link rel="icon" href="${url}">`,
  preloaded: (url) => `<link rel="preload" as="image" href="${url}">`,
  card: (url) => `<meta property="og:image" content="${url}">`,
}

/** A drawing above the limit, and far below it without its comments. */
const drawing = (seed: number, bytes: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ${'c '.repeat(bytes / 2)}-->` +
  `<path id="shape" fill="#${(0x102030 + seed).toString(16)}" d="M0 0h9v9z"/></svg>`

/** A picture above the limit, whose compressed bytes are far below it. */
const picture = (seed: number, side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: seed * 9, g: 90, b: 30 } } })
    .png({ compressionLevel: 0 })
    .toBuffer()

async function sites(bundler: Bundler): Promise<Record<string, string | Uint8Array>> {
  const styles = bundler === 'bun' ? ['background'] : Object.keys(IN_STYLES)
  const pages = bundler === 'bun' ? ['shown', 'favicon'] : Object.keys(IN_PAGES)
  const files: Record<string, string | Uint8Array> = {}
  const lines = {
    script: ['globalThis.site = []', "import './style.css'"],
    style: [] as string[],
    page: [] as string[],
  }
  let seed = 0
  const add = async (name: string): Promise<string[]> => {
    seed++
    const isOfBun = bundler === 'bun' && name in IN_STYLES
    files[`src/${name}p.png`] = await picture(seed, isOfBun ? 220 : 45)
    files[`src/${name}s.svg`] = drawing(seed, isOfBun ? LIMIT_OF_BUN : LIMIT)
    return [`${name}p.png`, `${name}s.svg`]
  }
  for (const [name, write] of Object.entries(IN_SCRIPTS))
    for (const file of await add(name)) lines.script.push(write(file, path.parse(file).name))
  for (const name of styles) for (const file of await add(name)) lines.style.push(IN_STYLES[name]!(file))
  for (const name of pages) for (const file of await add(name)) lines.page.push(IN_PAGES[name]!(`./src/${file}`))
  const ownScript = ['webpack', 'rspack', 'rsbuild'].includes(bundler)
  const script = ownScript ? '' : '<script type="module" src="./src/main.js"></script>'
  return {
    ...files,
    'src/main.js': lines.script.join('\n'),
    'src/style.css': lines.style.join('\n'),
    'index.html': `<!doctype html><html><head><title>x</title></head><body>\n${lines.page.join('\n')}\n${script}</body></html>`,
  }
}

for (const bundler of ['vite', 'webpack', 'rspack', 'rsbuild', 'bun'] as const) {
  describe.skipIf(!canBuild(bundler))(`the size limit of ${bundler}`, () => {
    let project: Project
    /** Bytes of the images that are files of the output. */
    let without: Map<string, number>
    let within: Map<string, number>
    const imagesOf = async (names: readonly string[]): Promise<Map<string, number>> => {
      const files = [...(await readOutput(project))].map(
        ([file, data]) => [path.posix.basename(file), data.length] as const,
      )
      return new Map(
        names.flatMap((name) => {
          const found = files.find(([file]) => file.startsWith(`${name}-`) || file.startsWith(`${name}.`))
          return found === undefined ? [] : [[name, found[1]] as const]
        }),
      )
    }
    beforeAll(async () => {
      const files = await sites(bundler)
      project = await createProject(`inlining-${bundler}`, { files })
      const names = Object.keys(files)
        .filter((file) => /\.(?:png|svg)$/.test(file))
        .map((file) => path.parse(file).name)
      await buildOrThrow(project, bundler, {}, { inlineLimit: LIMIT, from: 'nothing' })
      without = await imagesOf(names)
      await buildOrThrow(project, bundler, {}, { inlineLimit: LIMIT })
      within = await imagesOf(names)
    })
    afterAll(() => project?.dispose())

    it('leaves a file what is a file without the plugin', () => {
      expect(without.size).toBeGreaterThan(carries(bundler, 'html-srcset') ? 20 : 8)
      expect([...without.keys()].filter((name) => !within.has(name))).toEqual([])
    })

    it('compresses all of them', () => {
      for (const [name, bytes] of without) expect([name, within.get(name)! < bytes / 2]).toEqual([name, true])
    })
  })
}
