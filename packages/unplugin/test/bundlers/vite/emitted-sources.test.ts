import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmittedSources, sourceName } from '../../../src/bundlers/vite/emitted-sources.ts'
import { readQuery } from '../../../src/modules/reference.ts'

const ROOT = path.resolve('/project')
const image = path.join(ROOT, 'src', 'a.png')
const written = path.join(ROOT, 'node_modules', '.cache', 'a.webp')

describe('createEmittedSources', () => {
  it('leads from a file in the cache to its source, and leaves others alone', () => {
    const sources = createEmittedSources(ROOT)
    sources.add(written, { file: image, query: readQuery('?no-inline') })
    expect(sources.fileOf(written)).toBe(image)
    expect(sources.nameOf('node_modules/.cache/a.webp')).toBe('src/a.png')
    expect(sources.fileOf(image)).toBe(image)
    expect(sources.nameOf('src/b.png')).toBe('src/b.png')
  })

  it('prefers the reference without a query, whichever comes first', () => {
    for (const queries of [
      ['', '?w=900'],
      ['?w=900', ''],
    ]) {
      const sources = createEmittedSources(ROOT)
      for (const query of queries) sources.add(written, { file: image, query: readQuery(query) })
      expect(sources.nameOf(written)).toBe('src/a.png')
    }
  })
})

describe('sourceName', () => {
  it.each([
    ['', 'src/a.png'],
    ['?url', 'src/a.png'],
    ['?import&t=1', 'src/a.png'],
    ['?original', 'src/a.png?original'],
    ['?w=400&format=webp', 'src/a.png?w=400&format=webp'],
  ])('%j', (query, name) => {
    expect(sourceName(ROOT, { file: image, query: readQuery(query) })).toBe(name)
  })
})
