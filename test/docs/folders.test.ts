import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WORKSPACE } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import {
  CIRCLES,
  FILE_CIRCLES,
  FLOORS,
  arrowsUp,
  circles,
  folderOf,
  grouped,
  readFiles,
  roomOf,
  withPictures,
} from '../../scripts/folder-graph.mjs'

type Graph = Map<string, Set<string>>

const PACKAGES = Object.keys(FLOORS) as (keyof typeof FLOORS)[]
const known: Readonly<Partial<Record<string, readonly string[]>>> = CIRCLES
const knownFiles: typeof known = FILE_CIRCLES
const graphOf = (name: string): Graph => readFiles(path.join(WORKSPACE, 'packages', name)) as Graph

const scratch: string[] = []
afterAll(() => Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true }))))

/** A package of these files. */
async function packageOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-graph-'))
  scratch.push(folder)
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }
  return folder
}

describe('the graph of sources', () => {
  it('has every package of the workspace', async () => {
    const folders = await readdir(path.join(WORKSPACE, 'packages'))
    const manifests = await Promise.all(
      folders.map((name) =>
        readdir(path.join(WORKSPACE, 'packages', name)).then((all) => all.includes('package.json')),
      ),
    )
    expect(folders.filter((_, at) => manifests[at]).sort()).toEqual([...PACKAGES].sort())
  })

  it('has every source of core, generated modules and WebAssembly included', () => {
    const files = [...graphOf('core').keys()]
    expect(files).toEqual(
      expect.arrayContaining(['src/encoding/deflate.wasm.ts', 'assembly/tiles.ts', 'page/main.ts', 'src/index.ts']),
    )
  })

  it.each([
    ['an import', "import { b } from '../b/b.ts'"],
    ['a type', "import type { b } from '../b/b.ts'"],
    ['an export', "export { b } from '../b/b.ts'"],
    ['all exports', "export type * from '../b/b.ts'"],
    ['an import() when it runs', "export const b = () => import('../b/b.ts')"],
    ['a typeof import()', "export type B = typeof import('../b/b.ts')"],
    ['a worker', "export const b = new URL('../b/b.ts', import.meta.url)"],
  ])('counts %s', async (_, text) => {
    const folder = await packageOf({ 'src/a/a.ts': text, 'src/b/b.ts': "import '../a/a.ts'\nexport const b = 1" })
    const graph = readFiles(folder) as Graph
    expect([...graph.get('src/a/a.ts')!]).toEqual(['src/b/b.ts'])
    expect(circles(grouped(graph, folderOf))).toEqual([['src/a', 'src/b']])
  })

  it('takes the loose files of a folder for a node of their own', async () => {
    const folder = await packageOf({
      'src/index.ts': "import './a/one.ts'",
      'src/errors.ts': '',
      'src/a/one.ts': "import '../errors.ts'",
    })
    expect(circles(grouped(readFiles(folder) as Graph, folderOf))).toEqual([['src', 'src/a']])
  })

  it('reads what AssemblyScript imports, which names no extension and has decorators', async () => {
    const folder = await packageOf({
      'assembly/a.ts': "import { b } from './b'\n@inline\nfunction a(): i32 { return b }",
      'assembly/b.ts': 'export const b = 1',
    })
    expect([...(readFiles(folder) as Graph).get('assembly/a.ts')!]).toEqual(['assembly/b.ts'])
  })

  it('refuses an import of a source that is not there', async () => {
    const folder = await packageOf({ 'src/a.ts': "import './gone.ts'" })
    expect(() => readFiles(folder)).toThrow(/src\/a\.ts .*\.\/gone\.ts/)
  })

  it('tells arrows that run up, and folders without a floor', () => {
    const rooms = new Map([
      ['src/high', new Set(['src/low'])],
      ['src/low', new Set(['src/high'])],
      ['src/new', new Set<string>()],
    ])
    expect(arrowsUp(rooms, ['src/high', 'src/low'])).toEqual([
      'src/low → src/high',
      expect.stringMatching(/^src\/new /),
    ])
  })
})

describe.each(PACKAGES)('the folders of packages/%s', (name) => {
  it('import each other in no circle', () => {
    const found = circles(grouped(graphOf(name), folderOf)) as string[][]
    expect(found.flat().sort()).toEqual([...(known[name] ?? [])].sort())
  })

  it('have no circle of files', () => {
    const found = circles(graphOf(name)) as string[][]
    expect(found.flat().sort()).toEqual([...(knownFiles[name] ?? [])].sort())
  })

  if (FLOORS[name].length > 0)
    it('import only folders that stand below them in the declared order', () => {
      const rooms = grouped(graphOf(name), roomOf) as Graph
      expect(arrowsUp(rooms, FLOORS[name])).toEqual([])
      expect(FLOORS[name].filter((floor) => !rooms.has(floor))).toEqual([])
    })
})

describe('docs/architecture.md', () => {
  it('shows the folders as they are (`node scripts/folder-graph.mjs --write` renews the pictures)', async () => {
    const page = await readFile(path.join(WORKSPACE, 'docs/architecture.md'), 'utf8')
    for (const name of PACKAGES.filter((each) => FLOORS[each].length !== 1))
      expect(page).toContain(`<!-- folders of ${name} -->`)
    expect(withPictures(page)).toBe(page)
  })
})
