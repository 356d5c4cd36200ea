import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pixpress from '../../../src/vite.ts'

const ROOMS =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><!-- a plan --><rect width="40" height="30"/><rect x="60" width="40" height="30"/></svg>'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-shown-')))
  await mkdir(path.join(root, 'public'))
  for (const file of ['package.json', 'logo.svg', 'public/only.svg'])
    await writeFile(path.join(root, file), file === 'package.json' ? '{}' : ROOMS)
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Builds scripts, the first of which is the entry, and gives the drawings of the output and the entry's text. */
async function built(scripts: Readonly<Record<string, string>>, plugins: Plugin[] = [], ssr = false) {
  for (const [name, text] of Object.entries(scripts)) await writeFile(path.join(root, name), text)
  const input = path.join(root, Object.keys(scripts)[0]!)
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [...plugins, pixpress({ report: false, publicDir: false })],
    build: {
      ssr,
      ssrEmitAssets: true,
      assetsInlineLimit: 0,
      copyPublicDir: false,
      rollupOptions: { input, output: { entryFileNames: 'entry.js' } },
    },
  })
  const names = (await readdir(path.join(root, 'dist'), { recursive: true })).filter((name) => name.endsWith('.svg'))
  const read = (name: string): Promise<string> => readFile(path.join(root, 'dist', name), 'utf8')
  return { drawings: await Promise.all(names.map(read)), names, entry: await read('entry.js') }
}

const SHOWN = "import logo from './logo.svg'\nconst h = globalThis.h\nh('img', { src: logo })\n"
const FETCHED = "import logo from './logo.svg'\nfetch(logo)\n"

describe('a drawing that a script imports', () => {
  it('has a version for <img>, and one for a script that fetches it', async () => {
    const { drawings } = await built({ 'a.js': `import './b.js'\n${SHOWN}`, 'b.js': FETCHED })
    expect(drawings.map((text) => text.split('<rect').length - 1).toSorted()).toEqual([0, 2])
  })

  it('has the same URL on a server', async () => {
    const page = await built({ 'a.js': SHOWN })
    const server = await built({ 'a.js': SHOWN }, [], true)
    expect(server.names).toEqual(page.names)
    expect(server.entry).toContain(path.basename(page.names[0]!))
  })

  it('keeps the URL of the public folder', async () => {
    const { names, entry } = await built({ 'a.js': SHOWN.replace('./logo.svg', '/only.svg') })
    expect(names).toEqual([])
    expect(entry).toMatch(/["'`]\/only\.svg["'`]/)
  })

  it('stays an object of Astro, which leaves imports with a query alone', async () => {
    const astro: Plugin = {
      name: 'astro:assets:esm',
      enforce: 'pre',
      load: (id) => (id.endsWith('logo.svg') ? 'export default { src: "/of-astro.svg" }' : null),
    }
    const { entry } = await built({ 'a.js': SHOWN.replace('src: logo', 'src: logo.src') }, [astro])
    expect(entry).toContain('/of-astro.svg')
  })
})
