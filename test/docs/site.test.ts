import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32, inflateSync } from 'node:zlib'
import { WORKSPACE } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { searchSmallest } from '../../docs/.vitepress/playground/search.ts'
import { crc32 as crcInBrowsers, deflateSync } from '../../docs/.vitepress/playground/zlib.ts'
import { connectPages } from '../../docs/.vitepress/site/markdown.ts'
import { assertReachable } from '../../docs/.vitepress/site/sidebar.ts'
import { markdownFiles, readPage } from './markdown.ts'

/** A search whose promise is kept from a setting on. */
const scored = (threshold: number) => (setting: number) =>
  Promise.resolve({ result: `at ${setting}`, score: setting >= threshold ? 81 : 12 })

/** A title, then a block of code, which a comment may say is not run. */
const BEGINNING = /^(?:---\n[^]*?\n---\n+)?# .+\n+(?:<!-- not run: .+ -->\n+)?```\w+\n/

describe('searchSmallest', () => {
  it.each([1, 2, 50, 99, 100])('finds the setting %i, from which on the promise is kept', async (threshold) => {
    const tries: number[] = []
    const onTry = (count: number): void => void tries.push(count)
    const found = await searchSmallest(80, { least: 1, most: 100, tryAt: scored(threshold), onTry })
    expect(found).toEqual({ setting: threshold, result: `at ${threshold}`, score: 81 })
    expect(tries).toEqual(Array.from({ length: tries.length }, (_, at) => at + 1))
    expect(tries.length).toBeLessThanOrEqual(7)
  })

  it('finds nothing where the highest setting falls short', async () => {
    expect(await searchSmallest(80, { least: 1, most: 100, tryAt: scored(101) })).toBeUndefined()
  })
})

describe('what stands for zlib in browsers', () => {
  const data = Uint8Array.from({ length: 3000 }, (_, at) => (at * at) % 251)

  it('sums up chunks as zlib does', () => {
    expect(crcInBrowsers(data)).toBe(crc32(data))
    expect(crcInBrowsers(new Uint8Array())).toBe(0)
  })

  it('deflates what zlib inflates', () => {
    expect([...inflateSync(deflateSync(data, { level: 9 }))]).toEqual([...data])
  })
})

it('code within a sentence is not evaluated by Vue', async () => {
  const vitepress = path.join(WORKSPACE, 'docs/node_modules/vitepress/dist/node/index.js')
  const { createMarkdownRenderer } = (await import(pathToFileURL(vitepress).href)) as {
    createMarkdownRenderer: (folder: string) => Promise<Parameters<typeof connectPages>[0]>
  }
  const markdown = await createMarkdownRenderer('docs')
  connectPages(markdown, new Map())
  expect(markdown.render('As `{{ url }}` is.', {})).toBe('<p>As <code v-pre="">{{ url }}</code> is.</p>\n')
})

describe('the navigation', () => {
  it('leads to every page', async () => {
    const pages = (await markdownFiles()).filter((file) => /^docs\/(?!images\/)/.test(file))
    expect(() => assertReachable(pages.map((file) => file.slice('docs/'.length, -'.md'.length)))).not.toThrow()
    expect(() => assertReachable(['nowhere'])).toThrow('nowhere')
  })
})

/** Pages that have no line to copy, and why. */
const NOTHING_TO_COPY: Readonly<Record<string, string>> = {
  'docs/architecture.md': 'is about the inside',
  'docs/capacity.md': 'has figures to reckon with',
  'docs/colour.md': 'says what is done without being asked',
  'docs/conformance.md': 'is a table of measurements',
  'docs/dependencies.md': 'is a list',
  'docs/faces.md': 'shows pictures',
  'docs/glossary.md': 'explains words',
  'docs/index.md': 'has the line beside its photograph, below one sentence',
  'docs/versions.md': 'says what may change',
}

describe('pages of the documentation', async () => {
  const files = (await markdownFiles()).filter((file) => /^docs\/(?!images\/)/.test(file))

  it.each(files.filter((file) => NOTHING_TO_COPY[file] === undefined))(
    'begin with the line to copy in %s',
    async (file) => {
      // It stands right below the title, and what it does below that.
      expect(await readPage(file)).toMatch(BEGINNING)
    },
  )

  it('that have none are these', async () => {
    const wrong: string[] = []
    for (const file of Object.keys(NOTHING_TO_COPY)) if (BEGINNING.test(await readPage(file))) wrong.push(file)
    expect(wrong).toEqual([])
    expect(Object.keys(NOTHING_TO_COPY).filter((file) => !files.includes(file))).toEqual([])
  })
})
