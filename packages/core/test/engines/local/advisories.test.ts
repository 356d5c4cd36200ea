import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ADVISORIES, ADVISORIES_OF, advisoriesOf, installedAdvisories } from '../../../src/engines/local/advisories.ts'

const ids = (versions: Readonly<Record<string, string>>): string[] => advisoriesOf(versions).flatMap((each) => each.ids)

describe('ADVISORIES', () => {
  it('has a day, a version and identifiers in each row, none later than the day of the table', () => {
    for (const { ids: named, fixed, published } of ADVISORIES) {
      expect(published).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(published <= ADVISORIES_OF).toBe(true)
      expect(fixed).toMatch(/^\d+(?:\.\d+)+$/)
      for (const id of named) expect(id).toMatch(/^(?:CVE-\d{4}-\d{4,}|GHSA(?:-[\da-z]{4}){3})$/)
    }
    const all = ADVISORIES.flatMap((each) => each.ids)
    expect(new Set(all).size).toBe(all.length)
  })

  it('is the one that SECURITY.md points to', () => {
    const policy = readFileSync(new URL('../../../../../SECURITY.md', import.meta.url), 'utf8')
    expect(policy).toContain('packages/core/src/engines/local/advisories.ts')
  })
})

describe('advisoriesOf', () => {
  it('names those of older versions, part for part as numbers', () => {
    expect(ids({ webp: '1.3.1' })).toEqual(['CVE-2023-4863'])
    expect(ids({ webp: '1.3.2' })).toEqual([])
    expect(ids({ webp: '1.10.0' })).toEqual([])
    expect(ids({ png: '1.6.56' })).toEqual(['CVE-2026-34757'])
    expect(ids({ png: '1.6.9' })).toContain('CVE-2026-33416')
    expect(ids({ svgo: '4.0.1-rc.2' })).toEqual([])
    expect(ids({ svgo: '4.0' })).toEqual(['CVE-2026-29074'])
    expect(advisoriesOf({ heif: '1.23.4' })).toEqual([
      expect.objectContaining({ library: 'libheif', installed: '1.23.4' }),
    ])
  })

  it('says nothing of a version that it cannot read, or of a library that is not there', () => {
    expect(advisoriesOf({ webp: 'unknown', vips: '' })).toEqual([])
  })
})

describe('installedAdvisories', () => {
  it('finds every library of the table, and no advisory of what this workspace installs', async () => {
    const { versions, known } = await installedAdvisories()
    expect(Object.keys(versions).toSorted()).toEqual([...new Set(ADVISORIES.map(({ library }) => library))].toSorted())
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+/)
    expect(known).toEqual([])
  })
})
