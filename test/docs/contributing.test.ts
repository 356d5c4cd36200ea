import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { FORMAT_NAMES, formatOf } from '@pixpress/core/internal'
import { INPUT_TYPES } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { BUNDLERS } from '../contract/capabilities.ts'
import { ROOT, codeOf, readPage, sectionOf } from './markdown.ts'

const page = await readPage('CONTRIBUTING.md')
const source = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8')
const exists = (file: string): boolean => existsSync(path.join(ROOT, file))

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
    expect(named.map(([, list]) => list)).toEqual(
      expect.arrayContaining(['FACTS', 'CODECS', 'CAPABILITIES', 'LIST', 'OPERATIONS', 'OWN']),
    )
    for (const [, list, file] of named) expect(await source(file!)).toMatch(new RegExp(String.raw`\bconst ${list}\b`))
  })

  it('says how to add each of the formats that there are', async () => {
    expect(INPUT_TYPES.map(formatOf)).toEqual(FORMAT_NAMES)
    const facts = await source('packages/core/src/formats/facts.ts')
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
    const stores = await entriesOf('packages/core/src/stores/index.ts', 'LIST')
    expect(stores).toContain('s3')
    const documented = await source('docs/stores.md')
    for (const store of stores) {
      expect(documented).toContain(`'${store}'`)
      for (const file of pathsOf('Add a store', store)) expect([file, exists(file)]).toEqual([file, true])
    }
  })

  it.each(['Add a directive', 'Add an option'])('names files that are there under "%s"', (heading) => {
    const paths = pathsOf(heading, '')
    expect(paths.length).toBeGreaterThan(2)
    expect(paths.filter((file) => !exists(file))).toEqual([])
  })

  it('says how to add a directive as those are made that there are', async () => {
    const rows = await source('packages/core/src/options/operations.ts')
    const documented = await source('docs/directives.md')
    const words = [...rows.matchAll(/\bword: '(\w+)'/g)].map(([, word]) => word!)
    expect(words.length).toBeGreaterThan(2)
    for (const word of words) expect(documented).toContain(`\`${word}\``)
  })

  it('says how to add an option as those are made that there are', async () => {
    const own = await source('packages/core/src/project-option-rows.ts')
    const documented = await source('docs/options.md')
    const keys = [...own.slice(own.indexOf('const OWN')).matchAll(/^ {2}(\w+): \{/gm)].map(([, key]) => key!)
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
