import { describe, expect, it } from 'vitest'
import { mergeMetadata } from '../../src/metadata/select.ts'

describe('mergeMetadata', () => {
  it('takes each part from the first source that has it', () => {
    const merged = mergeMetadata([
      { copyright: { text: 'first' } },
      { copyright: { text: 'second', url: 'u' }, creation: '2021:07:04' },
      { creation: '2020:01:01' },
    ])
    expect(merged).toEqual({ copyright: { text: 'first', url: 'u' }, creation: '2021:07:04' })
  })

  it('has a flag that any source sets', () => {
    expect(mergeMetadata([{ copyright: { text: 'a' } }, { copyright: { flagged: true } }])).toEqual({
      copyright: { text: 'a', flagged: true },
    })
  })

  it('has no empty parts', () => {
    expect(mergeMetadata([{}, { copyright: {} }])).toEqual({})
  })
})
