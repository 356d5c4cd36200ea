import { describe, expect, it } from 'vitest'
import { DIRECTIVE_NAMES } from '../../packages/unplugin/src/directives/rows.ts'
import { GIVEN_DIRECTIVES, UNSUPPORTED_DIRECTIVES } from '../../packages/unplugin/src/directives/vocabulary.ts'
import { readPage } from './markdown.ts'

interface Queries {
  readonly IMAGETOOLS_DIRECTIVES: readonly string[]
  readonly OWN_DIRECTIVES: Readonly<Record<string, string>>
  readonly QUERIES: readonly {
    directive: string
    query: string
    design?: string
    refused?: string
    compat?: string
  }[]
  readonly OPTIONS: readonly (readonly string[])[]
}

const { IMAGETOOLS_DIRECTIVES, OWN_DIRECTIVES, QUERIES, OPTIONS } = (await import(
  new URL('../../scripts/imagetools/queries.mjs', import.meta.url).href
)) as Queries

const page = await readPage('docs/migrating-from-vite-imagetools.md')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

describe('the tables of docs/migrating-from-vite-imagetools.md', () => {
  it("name every directive of imagetools' documentation, and every one of ours", () => {
    const named = new Set(rows.map(([directive]) => directive!.replaceAll('`', '')))
    const known = [...DIRECTIVE_NAMES, ...GIVEN_DIRECTIVES, ...Object.keys(UNSUPPORTED_DIRECTIVES)]
    expect([...IMAGETOOLS_DIRECTIVES, ...known].filter((directive) => !named.has(directive))).toEqual([])
  })

  it('have a query of each directive of imagetools', () => {
    const asked = new Set(QUERIES.map(({ directive }) => directive))
    expect(IMAGETOOLS_DIRECTIVES.filter((directive) => !asked.has(directive))).toEqual([])
    expect(Object.keys(OWN_DIRECTIVES).filter((directive) => asked.has(directive))).toEqual([])
  })

  it('differ with compat in what is marked so, and in nothing that is alike without it', () => {
    const alike = QUERIES.filter(({ design, refused }) => design === undefined && refused === undefined)
    expect(alike.filter(({ compat }) => compat !== undefined)).toEqual([])
    for (const query of [
      'w=300&h=400',
      'aspect=16:9&h=200;400;700',
      'fit=cover',
      'height=300;600;900&withoutReduction',
    ])
      expect(QUERIES).toContainEqual(expect.objectContaining({ query, compat: 'alike' }))
  })

  it('are those that scripts/imagetools-table.mjs makes: each query stands there, with its reason where it has one', () => {
    const written = rows.map(([directive, query, verdict, compat, reason]) => ({
      directive,
      query,
      verdict,
      compat,
      reason,
    }))
    for (const { directive, query, design, refused, compat } of QUERIES) {
      const verdict = refused === undefined ? (design === undefined ? 'alike' : 'by design') : 'refused'
      expect(written).toContainEqual({
        directive: `\`${directive}\``,
        query: expect.stringContaining(`\`?${decodeURIComponent(query)}\``) as string,
        verdict,
        compat: compat ?? verdict,
        reason: refused ?? design ?? '',
      })
    }
    for (const [name, works, what] of OPTIONS) expect(rows).toContainEqual([`\`${name}\``, works, what])
    expect(page).toContain(`${QUERIES.length} queries: `)
    expect(page).toMatch(/, 0 unexplained; with `compat` .+, 0 unexplained\.\n/)
  })
})
