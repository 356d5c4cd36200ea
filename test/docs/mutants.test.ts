import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/list.mjs'
import { withFault } from '../../scripts/mutants/plant.mjs'
import { relatedTests } from '../../scripts/mutants/related.mjs'
import { packageOf } from '../../scripts/mutants/results.mjs'

const ROOT = path.join(import.meta.dirname, '../..')

describe('the planted faults', () => {
  it('fit the sources, alone and all together', () => {
    const texts = new Map<string, string>()
    for (const mutant of MUTANTS) {
      const text = texts.get(mutant.file) ?? readFileSync(path.join(ROOT, mutant.file), 'utf8')
      texts.set(mutant.file, withFault(text, mutant))
    }
    expect(texts.size).toBeGreaterThan(40)
    const named = MUTANTS.flatMap(({ tests = [] }) => tests)
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })

  it('name the file and the mutant where they no longer fit', () => {
    const mutant = { id: 'gone', file: 'a.ts', find: 'x', replace: 'y', breaks: '' }
    expect(() => withFault('', mutant)).toThrow(/'gone'.*a\.ts/)
    expect(() => withFault('x x', mutant)).toThrow('occurs 2 times')
    expect(withFault('1 x', { ...mutant, replace: '$& $1' })).toBe('1 $& $1')
  })

  it('are 80 or more: 8 in each published package, 10 at seams', () => {
    const ids = MUTANTS.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.length).toBeGreaterThanOrEqual(80)
    expect(MUTANTS.filter(({ isSeam }) => isSeam).length).toBeGreaterThanOrEqual(10)
    for (const name of ['core', 'client', 'server', 'unplugin', 'cli', 'astro', 'nuxt'])
      expect(MUTANTS.filter((each) => !each.isSeam && packageOf(each) === name).length, name).toBeGreaterThanOrEqual(8)
  })

  it('meet the test at the same path first, and those that import the source next', () => {
    const [first, ...others] = relatedTests('packages/core/src/metadata/select.ts')
    expect(first).toBe('packages/core/test/metadata/select.test.ts')
    expect(others).toHaveLength(5)
    expect(relatedTests('packages/unplugin/src/bundlers/vite/emit-image.ts')).toContain(
      'packages/unplugin/test/bundlers/vite/emit-image.test.ts',
    )
  })
})
