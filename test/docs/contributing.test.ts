import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FORMAT_NAMES, formatOf } from '@pixpress/core/internal'
import { INPUT_TYPES } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { BUNDLERS } from '../contract/capabilities.ts'
import { ROOT, codeOf, readPage, sectionOf } from './markdown.ts'

const page = await readPage('CONTRIBUTING.md')
const source = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8')
const exists = (file: string): boolean => existsSync(path.join(ROOT, file))

/** A text with every run of white space as one space. */
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The paths that a section names, with `<format>`, `<bundler>` or `<store>` replaced. */
function pathsOf(heading: string, name: string): string[] {
  const paths = codeOf(sectionOf(page, heading)).filter((code) => /^(?:packages|test|examples|docs)\//.test(code))
  return paths.map((each) => each.replaceAll(/<\w+>/g, name))
}

/** The keys of an object literal that a file declares by this name, in the text of the source. */
async function entriesOf(file: string, name: string): Promise<string[]> {
  const literal = new RegExp(String.raw`\b${name}\b[^\n]*= \{([^{}]*)\}`).exec(await source(file))
  expect(literal, `${name} in ${file}`).not.toBeNull()
  return [...literal![1]!.matchAll(/[\w]+/g)].map(([key]) => key)
}

describe('CONTRIBUTING.md', () => {
  it('names lists that are in the files it names', async () => {
    const named = [...page.matchAll(/`([A-Z_]{3,})`\s+(?:of|in)\s+`([^`]+)`/g)]
    expect(named.map(([, list]) => list)).toEqual(expect.arrayContaining(['FACTS', 'CODECS', 'CAPABILITIES', 'OWN']))
    for (const [, list, file] of named) expect(await source(file!)).toMatch(new RegExp(String.raw`\bconst ${list}\b`))
  })

  it('names types that are in the files it names', async () => {
    const named = [...page.matchAll(/`([A-Z]\w*[a-z])`\s+(?:of|in)\s+`([^`]+)`/g)]
    expect(named.map(([, type]) => type)).toContain('ProjectOptions')
    for (const [, type, file] of named)
      expect(await source(file!)).toMatch(new RegExp(String.raw`\b(?:interface|type) ${type}\b`))
  })

  it('shows rows as they stand in the file that it names before them', async () => {
    const rows = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    expect(rows.length).toBeGreaterThan(1)
    for (const { index, 1: row } of rows) {
      const [, file] = [...page.slice(0, index).matchAll(/\b\w{3,}`\s+(?:of|in)\s+`([^`]+)`/g)].at(-1)!
      expect(spaced(await source(file!)), file!).toContain(spaced(row!))
    }
  })

  it.each(['CONTRIBUTING.md', 'docs/architecture.md'])(
    'names no path that is not there in the blocks of %s',
    async (file) => {
      const blocks = [...(await readPage(file)).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
      const paths = blocks.flatMap(
        (block) => block.match(/(?<![\w@/.-])(?:packages|test|scripts|docs|examples)\/[\w./-]+/g) ?? [],
      )
      expect(paths.filter((each) => !exists(each))).toEqual([])
      if (file === 'CONTRIBUTING.md') expect(paths.length).toBeGreaterThan(5)
    },
  )

  it('names a hook that stops a commit of files with findings', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-hook-'))
    const git = (...args: string[]): { status: number | null; said: string } => {
      const identity = [
        '-c',
        'user.name=Test',
        '-c',
        'user.email=test@example.org',
        '-c',
        'core.hooksPath=scripts/hooks',
      ]
      const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
      return { status, said: stdout + stderr }
    }
    try {
      for (const each of ['.oxlintrc.json', '.oxfmtrc.json', 'scripts/hooks', 'scripts/lint'])
        await cp(path.join(ROOT, each), path.join(folder, each), { recursive: true })
      await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
      git('init', '--quiet')
      const commit = async (file: string, text: string): Promise<{ status: number | null; said: string }> => {
        await writeFile(path.join(folder, file), text)
        git('add', file)
        return git('commit', '--quiet', '-m', file)
      }
      expect(await commit('good one.ts', '/** A number. */\nexport const one = 1\n')).toMatchObject({ status: 0 })
      expect(await commit('notes.txt', 'Not checked.')).toMatchObject({ status: 0 })
      const opened = await commit('bad.ts', '// Of no use\nexport const two = 2\n')
      expect(opened.status).not.toBe(0)
      expect(opened.said).toContain('plain-words')
      const badlySpaced = await commit('bad.ts', 'export const two   = 2\n')
      expect(badlySpaced.status).not.toBe(0)
      expect(badlySpaced.said).toContain('bad.ts')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('says how to add each of the formats that there are', async () => {
    expect(INPUT_TYPES.map(formatOf)).toEqual(FORMAT_NAMES)
    const facts = await source('packages/core/src/base/facts.ts')
    const codecs = await entriesOf('packages/core/src/formats/index.ts', 'CODECS')
    expect(codecs.toSorted()).toEqual(FORMAT_NAMES.toSorted())
    for (const format of FORMAT_NAMES) {
      expect(facts).toMatch(new RegExp(String.raw`^ {2}${format}: \{`, 'm'))
      for (const file of pathsOf('Add a format', format)) expect([file, exists(file)]).toEqual([file, true])
    }
    // Data that imports nothing can be read by everything.
    expect(facts).not.toMatch(/^import /m)
  })

  it('says how to add each of the bundlers that there are', async () => {
    const list = await source('packages/unplugin/src/bundlers/index.ts')
    const exported = [...list.matchAll(/export \{([^}]+)\}/g)].flatMap(([, names]) => names!.match(/\w+/g)!)
    expect(exported.toSorted()).toEqual(BUNDLERS.toSorted())
    const { exports } = createRequire(import.meta.url)('unplugin-pixpress/package.json') as { exports: object }
    for (const bundler of BUNDLERS) {
      expect(Object.keys(exports)).toContain(`./${bundler}`)
      for (const file of pathsOf('Add a bundler', bundler)) {
        // Rollup and Rolldown share a folder.
        const place = file.replace('bundlers/rolldown/', 'bundlers/rollup/')
        expect([place, exists(place)]).toEqual([place, true])
      }
    }
  })

  it('says how to add each of the stores that there are', async () => {
    const list = await source('packages/core/src/objects/services.ts')
    const stores = [...list.matchAll(/export \{ (\w+) \}/g)].map(([, name]) => name!)
    expect(stores).toContain('s3')
    const documented = await source('docs/stores.md')
    for (const store of stores) {
      expect(documented).toContain(`'${store}'`)
      for (const file of pathsOf('Add a store', store)) expect([file, exists(file)]).toEqual([file, true])
    }
  })

  it.each(['Add a directive', 'Add an option'])('names files that are there under "%s"', (heading) => {
    const paths = pathsOf(heading, heading === 'Add an option' ? 'lqip' : 'blur')
    expect(paths.length).toBeGreaterThan(2)
    expect(paths.filter((file) => !exists(file))).toEqual([])
  })

  it('says how to add a directive as those are made that there are', async () => {
    const list = await source('packages/core/src/operations/list.ts')
    const files = [...list.matchAll(/^export .* from '\.\/(.*)'/gm)].map(([, file]) => file!)
    const rows = (await Promise.all(files.map((file) => source(`packages/core/src/operations/${file}`)))).join('')
    const documented = await source('docs/directives.md')
    const words = [...rows.matchAll(/\bword: '(\w+)'/g)].map(([, word]) => word!)
    expect(words.length).toBeGreaterThan(2)
    for (const word of words) expect(documented).toContain(`\`${word}\``)
  })

  it('says how to add an option as those are made that there are', async () => {
    const list = await source('packages/core/src/project/options/list.ts')
    const documented = await source('docs/options.md')
    const keys = [...list.matchAll(/^export \{ (\w+) \}/gm)].map(([, key]) => key!)
    expect(keys).toContain('publicDir')
    for (const key of keys) expect(documented).toContain(`\`${key}\``)
  })

  it('names commands that the workspace has', async () => {
    const { scripts } = JSON.parse(await source('package.json')) as { scripts: Record<string, string> }
    const commands = [...page.matchAll(/(?:pnpm|npm run) ([a-z][\w:]*)|npm (start|test)\b/g)].map(
      ([, run, short]) => run ?? short!,
    )
    expect(commands).toContain('build')
    expect(commands.filter((command) => command !== 'is' && !(command in scripts))).toEqual([])
  })
})
