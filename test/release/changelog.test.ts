import { describe, expect, it } from 'vitest'
import { linesOf, sectionOf, withRelease } from '../../scripts/release/changelog.mjs'
import { CONSTANT_FILES, withVersion } from '../../scripts/release/constants.mjs'
import { PUBLISHED_FOLDERS, readManifest, readText } from './manifests.ts'

const CHANGELOG = '# Changelog\n\n## 0.1.0\n\n- The first.\n'
const change = (type: string, summary: string): { summary: string; releases: { name: string; type: string }[] } => ({
  summary,
  releases: [{ name: 'pixpress', type }],
})

describe('the changelog', () => {
  it('has a heading for each version, and none for what is unreleased', () => {
    const changelog = readText('CHANGELOG.md')
    const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
    expect(headings.filter((heading) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(heading))).toEqual([])
    expect(sectionOf(changelog, readManifest('packages/core').version)?.length).toBeGreaterThan(100)
  })

  it('gets a new heading for a new version, above the others', () => {
    const lines = linesOf([change('patch', 'A fixed fault.'), change('minor', 'A new option.')])
    const changed = withRelease(CHANGELOG, '0.2.0', lines)
    expect(changed).toBe('# Changelog\n\n## 0.2.0\n\n- A new option.\n- A fixed fault.\n\n## 0.1.0\n\n- The first.\n')
    expect(sectionOf(changed, '0.2.0')).toBe('- A new option.\n- A fixed fault.')
    expect(sectionOf(changed, '0.1.0')).toBe('- The first.')
    expect(sectionOf(changed, '0.1')).toBeUndefined()
  })

  it('gets lines below the heading of a version that was never released', () => {
    expect(withRelease(CHANGELOG, '0.1.0', linesOf([change('minor', 'More.')]))).toBe(
      '# Changelog\n\n## 0.1.0\n\n- More.\n- The first.\n',
    )
  })

  it('takes texts of several lines and of several items, and dollar signs as they are', () => {
    const lines = linesOf([change('minor', 'One\ntwo $& lines.'), change('minor', '- a\n- b')])
    expect(withRelease(CHANGELOG, '0.2.0', lines)).toContain('- One\n  two $& lines.\n- a\n- b\n\n## 0.1.0')
  })

  it('stays as it is without a change', () => {
    expect(withRelease(CHANGELOG, '0.1.0', linesOf([]))).toBe(CHANGELOG)
  })
})

describe('the constants of versions', () => {
  it('are one for each published package', () => {
    const folders = CONSTANT_FILES.map((file) => file.split('/')[1]!)
    expect(folders.toSorted()).toEqual(PUBLISHED_FOLDERS.toSorted())
  })

  it.each(CONSTANT_FILES)('can be raised in %s, and nothing else changes', (file) => {
    const source = readText(file)
    const raised = withVersion(source, '9.8.7')
    expect(raised).toContain("'9.8.7'")
    expect(withVersion(raised, readManifest('packages/core').version)).toBe(source)
  })
})
