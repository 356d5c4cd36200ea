import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUNDLERS } from '../contract/capabilities.ts'
import { ROOT, readPage } from './markdown.ts'

/** The files of an entry of a package, by conditions, or its one file. */
type Entry = Readonly<Record<string, unknown>> | string

interface Manifest {
  private?: boolean
  license: string
  exports: Readonly<Record<string, Entry>>
  publishConfig?: { exports?: Readonly<Record<string, Entry>> }
}

const packages: string[] = []
for (const name of await readdir(path.join(ROOT, 'packages'))) {
  const manifest = JSON.parse(await readPage(`packages/${name}/package.json`)) as Manifest
  if (manifest.private !== true) packages.push(name)
}

describe('what is published', () => {
  it.each(packages)('has the licence and a README in packages/%s', async (name) => {
    const license = await readFile(path.join(ROOT, 'LICENSE'), 'utf8')
    expect(await readFile(path.join(ROOT, 'packages', name, 'LICENSE'), 'utf8')).toBe(license)
    expect((await readPage(`packages/${name}/README.md`)).length).toBeGreaterThan(300)
  })

  it.each(packages)('has the entries of the workspace, without those of sources, in packages/%s', async (name) => {
    const { exports, publishConfig } = JSON.parse(await readPage(`packages/${name}/package.json`)) as Manifest
    const built = Object.entries(exports).map(([entry, given]) => {
      if (typeof given === 'string') return [entry, given]
      const { dev: _, ...others } = given
      return [entry, others]
    })
    expect(publishConfig?.exports).toEqual(Object.fromEntries(built))
  })

  it.each(['README.md', 'packages/unplugin/README.md', 'docs/architecture.md', 'docs/glossary.md'])(
    'has every bundler named in %s',
    async (file) => {
      const text = (await readPage(file)).toLowerCase()
      expect(BUNDLERS.filter((bundler) => !text.includes(bundler))).toEqual([])
    },
  )
})
