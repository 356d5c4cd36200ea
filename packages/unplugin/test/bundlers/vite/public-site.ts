import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { build } from 'vite'
import type { InlineConfig, Rolldown } from 'vite'
import { afterAll, afterEach, beforeAll } from 'vitest'
import pixpress from '../../../src/vite.ts'
import type { Options } from '../../../src/vite.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

/** A build that writes nothing. */
interface SiteBuild {
  /** Each file of the output by its name, without what the public folder holds. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** The code of each module of `src` once all plugins have changed it, by its name. */
  readonly modules: ReadonlyMap<string, string>
  /** All scripts of the output. */
  readonly script: string
  /** Names of emitted images, without their hashes. */
  readonly images: readonly string[]
}

export interface PublicSite {
  write(files: Files): Promise<void>
  read(name: string): Promise<string>
  build(options?: Options, config?: InlineConfig): Promise<SiteBuild>
}

/** A project whose public folder has images that are smaller as AVIF, for one file of tests. */
export function usePublicSite(): PublicSite {
  let root: string
  const write = async (files: Files): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true })
      await writeFile(path.join(root, name), content)
    }
  }
  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-public-')))
    await write({
      'package.json': '{}',
      'public/hero.png': await photo(240, 180, 1).png(),
      'public/a/card.png': await photo(240, 180, 2).png(),
      'public/b/card.png': await photo(240, 180, 3).png(),
      'public/white space.png': await photo(240, 180, 5).png(),
      // It saves some hundred bytes.
      'public/tiny.png': await photo(24, 18, 4).png(),
      'public/scene.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
  })
  afterEach(async () => {
    for (const name of ['src', 'index.html']) await rm(path.join(root, name), { recursive: true, force: true })
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  return {
    write,
    read: (name) => readFile(path.join(root, name), 'utf8'),
    async build(options = {}, { build: settings, ...config } = {}) {
      const modules = new Map<string, string>()
      const seen = {
        name: 'test:seen',
        enforce: 'post' as const,
        transform(code: string, id: string): null {
          modules.set(path.relative(path.join(root, 'src'), id), code)
          return null
        },
      }
      const output = (await build({
        configFile: false,
        logLevel: 'silent',
        root,
        ...config,
        plugins: [
          config.plugins,
          pixpress({ convert: 'auto', cache: { dir: 'cache' }, report: false, ...options }),
          seen,
        ],
        build: { write: false, minify: false, modulePreload: false, ...settings },
      })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[]
      const items = [output].flat().flatMap((each) => [...each.output])
      const files = new Map(items.map((each) => [each.fileName, each.type === 'chunk' ? each.code : each.source]))
      return {
        files,
        modules,
        script: items.flatMap((each) => (each.type === 'chunk' ? each.code : [])).join('\n'),
        images: [...files.keys()]
          .filter((name) => /\.(?:png|avif|webp)$/.test(name))
          .map((name) => name.replace(/-[\w-]{8}(?=\.\w+$)/, '').replace('assets/', '')),
      }
    },
  }
}
