import { LINEAR, growth } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { findInJson } from '../../src/references/json.ts'
import { replaceReferences } from '../../src/references/replace.ts'

const urls = (json: string): string[] => findInJson(json).map(({ url }) => url)

const unclosed = (times: number): string => '"data:'.repeat(500 * times)

describe('findInJson', () => {
  it('finds strings that are data URLs, at any depth, with their places', () => {
    const json = '{ "a": "data:image/png;base64,AAAA", "b": [{"p":"data:image/jpeg;base64,BBBB"}], "c": "text data:x" }'
    expect(urls(json)).toEqual(['data:image/png;base64,AAAA', 'data:image/jpeg;base64,BBBB'])
    for (const { url, start, end } of findInJson(json)) expect(json.slice(start, end)).toBe(url)
    const changed = replaceReferences(json, findInJson(json), ({ url }) => url.toLowerCase().replace('base64', 'x'))
    expect(JSON.parse(changed)).toEqual({
      a: 'data:image/png;x,aaaa',
      b: [{ p: 'data:image/jpeg;x,bbbb' }],
      c: 'text data:x',
    })
  })

  it.each([
    ['names of members', '{ "data:image/png;base64,AAAA" : 1 }'],
    ['data URLs within a longer string', String.raw`{ "html": "<img src=\"data:image/png;base64,AAAA\">" }`],
    ['strings with escapes', String.raw`{ "a": "data:image\/png;base64,AA\/A" }`],
    ['a string without an end', '{ "a": "data:image/png;base64,AAAA'],
  ])('leaves %s', (_, json) => {
    expect(urls(json)).toEqual([])
  })

  it('takes time that grows with the text', () => {
    expect(growth(unclosed, (json) => void findInJson(json))).toBeLessThan(LINEAR)
  })
})
