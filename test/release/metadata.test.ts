import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { linksOf } from '../docs/markdown.ts'
import { PUBLISHED_FOLDERS, ROOT, readManifest, readText } from './manifests.ts'

/** Lines of all blocks of code of a page. */
const snippetLines = (page: string): string[] =>
  [...page.matchAll(/^```\w*\n([^]*?)^```$/gm)].flatMap(([, code]) => code!.split('\n'))

const REPOSITORY = 'https://github.com/pixpress/pixpress'

describe.each(PUBLISHED_FOLDERS)('packages/%s', (folder) => {
  const manifest = readManifest(`packages/${folder}`)
  const readme = readText(`packages/${folder}/README.md`)

  it('says in its manifest where it comes from, where faults go and who can be supported', () => {
    expect(manifest.repository).toEqual({
      type: 'git',
      url: `git+${REPOSITORY}.git`,
      directory: `packages/${folder}`,
    })
    expect(manifest.homepage).toBe(`${REPOSITORY}/tree/main/packages/${folder}#readme`)
    expect(manifest.bugs).toEqual({ url: `${REPOSITORY}/issues` })
    expect(manifest.funding).toBe('https://github.com/sponsors/pixpress')
    expect(manifest.description?.length).toBeGreaterThan(40)
  })

  it('has a README that begins with its name and says what it is', () => {
    expect(readme).toMatch(new RegExp(`^# ${manifest.name}\n\n[A-Z\`<@]`))
  })

  it('says how to install it', () => {
    expect(snippetLines(readme).filter((line) => line.startsWith('npm install '))).toEqual([
      expect.stringMatching(new RegExp(`^npm install (?:--save-dev )?${manifest.name}$`)),
    ])
  })

  it('shows an example that uses it', () => {
    const lines = snippetLines(readme).filter((line) => line !== '' && !line.startsWith('npm install '))
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.some((line) => line.includes(manifest.name))).toBe(true)
  })

  it('links to pages of the documentation that are there', () => {
    const pages = linksOf(readme).filter((link) => link.startsWith('../../docs/'))
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.filter((page) => !existsSync(path.join(ROOT, 'packages', folder, page.replace(/#.*/, ''))))).toEqual(
      [],
    )
  })
})
