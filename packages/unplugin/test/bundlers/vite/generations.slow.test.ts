import { mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { build } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import pixpress from '../../../src/vite.ts'

const GENERATIONS = 5
const LARGE = ['a.jpg', 'b.webp', 'c.avif', 'd.png']

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-generations-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Builds a page of the images and gives what came of each, by the name of its source. */
async function built(names: readonly string[], options: object): Promise<Record<string, Buffer>> {
  const imports = names.map((name, index) => `import i${index} from './${name}'`)
  const used = names.map((_, index) => `i${index}`).join(', ')
  await writeFile(path.join(root, 'main.js'), `${imports.join('\n')}\nconsole.log(${used})`)
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: pixpress({ cache: false, report: false, ...options }),
    build: {
      assetsInlineLimit: 0,
      rollupOptions: { input: path.join(root, 'main.js'), output: { assetFileNames: '[name][extname]' } },
    },
  })
  const files = (await readdir(path.join(root, 'dist'))).filter((name) => names.includes(name))
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(path.join(root, 'dist', name))])),
  ) as Record<string, Buffer>
}

it.each([{ quality: 80 }, { quality: 60 }, { effort: 'fast' }])(
  'five builds of their own output lose detail once, with %j',
  async (options) => {
    const picture = photo(240, 180)
    const small = photo(40, 30)
    const sources: Record<string, Buffer> = {
      'a.jpg': await picture.jpeg(97),
      'b.webp': await picture.webp(97),
      'c.avif': await picture.avif(90),
      'd.png': await picture.png(),
      'e.jpg': await small.jpeg(97),
      'f.webp': await small.webp(97),
    }
    const names = Object.keys(sources)
    const next = async (images: Record<string, Buffer>): Promise<Record<string, Buffer>> => {
      await Promise.all(names.map((name) => writeFile(path.join(root, name), images[name]!)))
      return built(names, options)
    }
    const first = await next(sources)
    // The first build has to lose something for the others to have something to lose.
    for (const name of LARGE) expect(first[name]!.length).toBeLessThan(sources[name]!.length * 0.8)
    let last = first
    for (let generation = 2; generation <= GENERATIONS; generation++) {
      last = await next(last)
      for (const name of names)
        expect([generation, name, last[name]!.equals(first[name]!)]).toEqual([generation, name, true])
    }
  },
)
