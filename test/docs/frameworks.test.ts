import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { STARTERS } from '../projects/starters.ts'
import { ROOT, linksOf, readPage } from './markdown.ts'

const FOLDER = 'docs/frameworks'
const PAGES = (await readdir(path.join(ROOT, FOLDER))).filter((name) => name.endsWith('.md') && name !== 'README.md')

describe('the pages of frameworks', () => {
  it('are all linked from their list', async () => {
    const links = linksOf(await readPage(`${FOLDER}/README.md`))
    expect(PAGES.filter((page) => !links.includes(page))).toEqual([])
    expect(PAGES.length).toBeGreaterThan(8)
  })

  it.each(PAGES)('begin with the line to add in %s', async (page) => {
    const [, first, second] = (await readPage(`${FOLDER}/${page}`)).split('\n')
    expect([first, second]).toEqual(['', '```js'])
  })

  it.each(PAGES)('each have a project that is built for %s', (page) => {
    expect(STARTERS.map(({ folder }) => folder)).toContain(path.parse(page).name)
  })
})
