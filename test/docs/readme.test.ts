import { describe, expect, it } from 'vitest'
import { PAGES, benchTable } from '../../scripts/bench-table.mjs'
import { withTables } from '../../scripts/options-docs.mjs'
import { linksOf, markdownFiles, readPage } from './markdown.ts'

/** Lines of the README that a window shows before anybody scrolls, a picture aside. */
const FIRST_SCREEN = 45

describe('the README', () => {
  it.each(PAGES)('has the figures that were measured last in %s', async (file) => {
    const page = await readPage(file)
    const bench = benchTable(await readPage('bench/README.md'))
    expect(page).toBe(withTables(page, { bench }))
    expect(bench.split('\n')).toHaveLength(6)
  })

  it('refuses results without a tool of the table', async () => {
    const results = (await readPage('bench/README.md')).replaceAll('vite-imagetools', 'another')
    expect(() => benchTable(results)).toThrow('vite-imagetools, warm')
  })

  it('says on its first screen what it is, how to install it, how it looks and what was measured', async () => {
    const lines = (await readPage('README.md')).split('\n').slice(0, FIRST_SCREEN)
    const screen = lines.join('\n')
    expect(lines[2]).toMatch(/^Every image /)
    expect(screen).toContain('npm install --save-dev unplugin-pixpress')
    expect(screen).toContain('export default { plugins: [pixpress()] }')
    expect(screen).toMatch(/!\[[^\]]+\]\(docs\/images\/[\w-]+\.webp\)/)
    expect(screen).toContain('<!-- /bench -->')
  })

  it('leads to every page of the documentation, or to the page that does', async () => {
    const links = linksOf(await readPage('README.md')).map((link) => link.split('#')[0])
    const pages = (await markdownFiles()).filter((file) => /^docs\/[\w-]+\.md$/.test(file))
    const elsewhere = ['docs/index.md', 'docs/playground.md', 'docs/releasing.md']
    expect(pages.filter((page) => !links.includes(page) && !elsewhere.includes(page))).toEqual([])
  })
})
