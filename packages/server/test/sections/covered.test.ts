import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import sections from './sections.json' with { type: 'json' }

/**
 * Every `it('§…')` of this folder: titles that begin with a section of the specification or, with W, of its wire facts.
 */
async function tested(): Promise<string[]> {
  const titles: string[] = []
  for (const file of await readdir(import.meta.dirname)) {
    if (!file.endsWith('.test.ts') || file === 'covered.test.ts') continue
    const source = await readFile(path.join(import.meta.dirname, file), 'utf8')
    for (const [, title] of source.matchAll(/^ *it\('(W?§[^']+)'/gm)) titles.push(title!)
  }
  return titles
}

describe('the specification', () => {
  it('every section and row has a test that names it', async () => {
    const titles = await tested()
    const missing = sections.filter((section) => !titles.some((title) => title.startsWith(section)))
    expect(missing).toEqual([])
  })

  it('every test names a section that there is', async () => {
    const unknown = (await tested()).filter((title) => !sections.some((section) => title.startsWith(section)))
    expect(unknown).toEqual([])
  })

  it('lists each once', () => {
    expect(new Set(sections).size).toBe(sections.length)
  })
})
