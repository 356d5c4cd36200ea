import { describe, expect, it } from 'vitest'
import { DIRECTIVE_NAMES } from '../../packages/unplugin/src/directives/rows.ts'
import { GIVEN_DIRECTIVES, UNSUPPORTED_DIRECTIVES } from '../../packages/unplugin/src/directives/vocabulary.ts'
import { readPage } from './markdown.ts'

interface Queries {
  readonly IMAGETOOLS_DIRECTIVES: readonly string[]
  readonly OWN_DIRECTIVES: Readonly<Record<string, string>>
  readonly QUERIES: readonly { directive: string; query: string; design?: string; refused?: string }[]
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

  it('are those that scripts/imagetools-table.mjs makes: each query stands there, with its reason where it has one', () => {
    const written = rows.map(([directive, query, verdict, reason]) => ({ directive, query, verdict, reason }))
    for (const { directive, query, design, refused } of QUERIES) {
      const verdict = refused === undefined ? (design === undefined ? 'alike' : 'by design') : 'refused'
      expect(written).toContainEqual({
        directive: `\`${directive}\``,
        query: expect.stringContaining(`\`?${decodeURIComponent(query)}\``) as string,
        verdict,
        reason: refused ?? design ?? '',
      })
    }
    for (const [name, works, what] of OPTIONS) expect(rows).toContainEqual([`\`${name}\``, works, what])
    expect(page).toContain(`${QUERIES.length} queries: `)
    expect(page).toContain(', 0 unexplained.')
  })
})
