import { describe, expect, it } from 'vitest'
import { replaceReferences } from '../../src/references/replace.ts'
import type { Reference } from '../../src/references/types.ts'

const TEXT = 'a <b> c <d>'
const REFERENCES: Reference[] = [
  { kind: 'css-url', url: 'b', start: 3, end: 4, encode: (url) => `[${url}]` },
  { kind: 'css-url', url: 'd', start: 9, end: 10, encode: (url) => url },
]

describe('replaceReferences', () => {
  it('writes each URL in the form of its place', () => {
    expect(replaceReferences(TEXT, REFERENCES, ({ url }) => url.repeat(3))).toBe('a <[bbb]> c <ddd>')
  })
  it('leaves what has no replacement', () => {
    expect(replaceReferences(TEXT, REFERENCES, ({ url }) => (url === 'd' ? '' : undefined))).toBe('a <b> c <>')
    expect(replaceReferences(TEXT, [], () => 'x')).toBe(TEXT)
  })
})
