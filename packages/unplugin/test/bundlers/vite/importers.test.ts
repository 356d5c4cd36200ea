import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createImporters } from '../../../src/bundlers/vite/importers.ts'

const at = (name: string): string => path.resolve('/site', name)

describe('importers of images', () => {
  it('are known by the file that a path names, and where an alias hides it by its name', () => {
    const importers = createImporters()
    importers.note('../a.png?w=3', at('src/main.js'))
    importers.note('./a.png?w=3', at('other/main.js'))
    importers.note('@/b.png?w=3', at('src/App.vue') + '?vue&type=script')
    expect(importers.of(at('a.png'), '?w=3')).toBe(at('src/main.js'))
    expect(importers.of(at('other/a.png'), '?w=3')).toBe(at('other/main.js'))
    expect(importers.of(at('assets/b.png'), '?w=3')).toBe(at('src/App.vue'))
    expect(importers.of(at('a.png'), '?w=4')).toBeUndefined()
  })
})
