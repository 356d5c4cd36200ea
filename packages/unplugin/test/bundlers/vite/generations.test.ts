import { mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { build } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import pixpress from '../../../src/vite.ts'

const GENERATIONS = 5

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
    const picture = sharp(await photo(240, 180).png())
    const small = sharp(await photo(40, 30).png())
    const sources: Record<string, Buffer> = {
      'a.jpg': await picture.jpeg({ quality: 97 }).toBuffer(),
      'b.webp': await picture.webp({ quality: 97 }).toBuffer(),
      'c.avif': await picture.avif({ quality: 90, effort: 1 }).toBuffer(),
      'd.png': await picture.png({ palette: true, dither: 0 }).toBuffer(),
      'e.jpg': await small.jpeg({ quality: 97 }).toBuffer(),
      'f.webp': await small.webp({ quality: 97 }).toBuffer(),
    }
    const names = Object.keys(sources)
    const next = async (images: Record<string, Buffer>): Promise<Record<string, Buffer>> => {
      await Promise.all(names.map((name) => writeFile(path.join(root, name), images[name]!)))
      return built(names, options)
    }
    const first = await next(sources)
    for (const name of names) expect([name, first[name]!.length < sources[name]!.length]).toEqual([name, true])
    let last = first
    for (let generation = 2; generation <= GENERATIONS; generation++) {
      last = await next(last)
      for (const name of names)
        expect([generation, name, last[name]!.equals(first[name]!)]).toEqual([generation, name, true])
    }
  },
)
