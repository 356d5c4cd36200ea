import { existsSync } from 'node:fs'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { publicEntries } from '../../scripts/api/entries.mjs'
import { withoutComments, withoutRepeated } from '../../scripts/api/extract.mjs'
import { differences, unannounced } from '../../scripts/api/judge.mjs'
import { PUBLISHED_FOLDERS, ROOT, readText } from './manifests.ts'

const VITE = 'packages/unplugin/api/vite.api.md'
const CORE = 'packages/core/api/index.api.md'
const names = new Map([
  ['packages/core', '@pixpress/core'],
  ['packages/unplugin', 'unplugin-pixpress'],
])
const before = new Map([
  [VITE, 'pixpress(): Plugin[]'],
  [CORE, 'optimize(): void'],
])
const after = new Map([...before, [VITE, 'pixpress(options: Options): Plugin[]']])
const changeset = (name: string, type: string): object => ({ releases: [{ name, type }], summary: 'A change.' })
const judged = (changesets: object[], isRelease = false): string[] =>
  unannounced({ before, after, changesets, names, isRelease } as Parameters<typeof unannounced>[0])

describe('a public interface', () => {
  it('has a committed report for each entry of each published package', () => {
    const packages = publicEntries()
    expect(packages.map(({ folder }) => folder.replace('packages/', ''))).toEqual(PUBLISHED_FOLDERS)
    const reports = packages.flatMap(({ entries }) => entries.map(({ report }) => report))
    expect(reports.length).toBeGreaterThan(25)
    expect(reports.filter((report) => !existsSync(`${ROOT}/${report}`))).toEqual([])
    expect(readText(CORE)).toContain('export function createOptimizer(')
    // Names for our own packages appear in no signature, but for the flags that the server gives to the command.
    expect(reports.filter((report) => readText(report).includes('@pixpress/core/internal'))).toEqual([
      'packages/server/api/index.api.md',
    ])
  })

  it('that is not as its report says is named, with the command that writes it down', () => {
    expect(differences(before, after)).toEqual([naming(VITE)])
    expect(differences(new Map(), new Map([[CORE, 'a']]))[0]).toEqual(naming(CORE))
    expect(differences(before, new Map([[CORE, 'optimize(): void']]))).toEqual([naming(VITE)])
    expect(differences(before, before)).toEqual([])
  })

  it('that changed since the last release needs a changeset of its package', () => {
    const sentence =
      'The public interface of unplugin-pixpress changed (vite.api.md), and no changeset says so. ' +
      "Run: pnpm changeset, choose unplugin-pixpress, and say 'minor' or 'major'."
    expect(judged([])).toEqual([sentence])
    expect(judged([changeset('@pixpress/core', 'minor')])).toEqual([sentence])
    expect(judged([changeset('unplugin-pixpress', 'patch')])).toEqual([sentence])
    expect(judged([changeset('unplugin-pixpress', 'minor')])).toEqual([])
    expect(judged([changeset('unplugin-pixpress', 'major')])).toEqual([])
  })

  it('needs none once the release is made, nor for a package that had no reports', () => {
    expect(judged([], true)).toEqual([])
    const given = { before: new Map([[CORE, 'optimize(): void']]), after, changesets: [], names, isRelease: false }
    expect(unannounced(given)).toEqual([])
  })

  it('counts an entry that is added or gone as a change', () => {
    const given = { before, changesets: [], names, isRelease: false }
    expect(unannounced({ ...given, after: new Map([...before, ['packages/core/api/new.api.md', '']]) })).toHaveLength(1)
    expect(unannounced({ ...given, after: new Map([[VITE, before.get(VITE)!]]) })[0]).toContain('@pixpress/core')
  })
})

describe('a report', () => {
  it('says nothing of comments, so that a docstring changes none', () => {
    expect(
      withoutComments('// @public (undocumented)\nexport interface A {\n    // (undocumented)\n    b: C;\n}\n'),
    ).toBe('// @public\nexport interface A {\n    b: C;\n}\n')
  })

  it('leaves out the types that it needs and the index describes, but not its own exports', () => {
    const own = '// @public\nexport const a: Needed;'
    const needed = '// @public\ntype Needed = string;'
    expect(withoutRepeated(`${needed}\n\n${own}`, `// @public\nexport type Needed = string;\n\n${own}`)).toBe(own)
    expect(withoutRepeated(`${needed}\n\n${own}`, '// @public\ntype Needed = number;')).toBe(`${needed}\n\n${own}`)
  })
})
