import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, anchorsOf, codeOf, linksOf, markdownFiles, readPage } from './markdown.ts'

const FILES = await markdownFiles()

/** Folders that paths in the documentation begin with. */
const OWN_PATH = /^(?:packages|test|scripts|bench|docs|examples)\/[\w@./-]+$/

describe('the documentation', () => {
  it('is found by this test', () => {
    expect(FILES).toContain('README.md')
    expect(FILES).toContain('docs/formats.md')
    expect(FILES.length).toBeGreaterThan(40)
  })

  it.each(FILES)('has no broken link in %s', async (file) => {
    const broken: string[] = []
    for (const link of linksOf(await readPage(file))) {
      if (/^[a-z][a-z+.-]*:/i.test(link)) continue
      const [target = '', anchor] = link.split('#')
      const resolved = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(target))
      if (!existsSync(path.join(ROOT, resolved))) broken.push(link)
      else if (anchor !== undefined && !anchorsOf(await readPage(resolved)).has(anchor)) broken.push(link)
    }
    expect(broken).toEqual([])
  })

  it.each(FILES)('names no file that is not there in %s', async (file) => {
    const paths = codeOf(await readPage(file)).filter((code) => OWN_PATH.test(code))
    expect(paths.filter((each) => !existsSync(path.join(ROOT, each)))).toEqual([])
  })

  it('names the files of the architecture by their places', async () => {
    const page = await readPage('docs/architecture.md')
    const missing: string[] = []
    let named = 0
    for (const section of page.split(/^## /m)) {
      const base = /^[^\n]*\(`(packages\/\w+\/src)`\)/.exec(section)?.[1]
      if (base === undefined) continue
      for (const code of codeOf(section)) {
        if (OWN_PATH.test(code) || !/^[\w-]+(?:\/[\w.-]+)*(?:\/|\.ts)$/.test(code)) continue
        named++
        // A folder may be named inside the one that the row is about.
        const row = section.split('\n').find((line) => line.includes(`\`${code}\``))!
        const folder = /^\| `([\w-]+\/)`/.exec(row)?.[1] ?? ''
        const places = [base, path.posix.join(base, folder), path.posix.dirname(base)]
        if (!places.some((place) => existsSync(path.join(ROOT, place, code)))) missing.push(`${base}: ${code}`)
      }
    }
    expect(missing).toEqual([])
    expect(named).toBeGreaterThan(20)
  })

  it('uses the words of the glossary', async () => {
    const banned = /\b(?:heeded|presumed|believed|torn|stand-in|packed anew|hardly too|goes by|filmed|repacked)\b/i
    const found: string[] = []
    for (const file of FILES) {
      for (const line of (await readPage(file)).split('\n')) if (banned.test(line)) found.push(`${file}: ${line}`)
    }
    expect(found).toEqual([])
  })
})
