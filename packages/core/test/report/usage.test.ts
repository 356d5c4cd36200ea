import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createReport } from '../../src/report/json.ts'
import { renderReport } from '../../src/report/table.ts'
import type { RemoteEndpointUsage, RemoteUsage } from '../../src/engines/remote/usage.ts'
import { image, reportOf } from './images.ts'

const plain = { width: 125, color: false, full: false }
const usage: RemoteUsage = {
  endpoint: 'https://images.example.com/v1',
  compressions: 12,
  unanswered: 0,
  saved: 30,
  images: 9,
  fallbacks: { local: 3, original: 1 },
  reasons: ['the limit of 20 compressions for a build is reached'],
  keys: [{ key: '…wxyz', compressions: 12, month: 345, limit: 500 }],
  left: 8,
}
const lineOf = (remote: RemoteUsage): string =>
  renderReport({ ...reportOf([image('a.jpg', 900, 400)]), remote }, plain)
    .split('\n')
    .at(-1)!

const at = (endpoint: string, images: number, reason: string | null): RemoteEndpointUsage => ({
  endpoint,
  images,
  compressions: 6,
  reason,
})

describe('the line of a service', () => {
  it('says what was used, spared and is left, without colours in a log', () => {
    expect(lineOf({ ...usage, fallbacks: { local: 0, original: 0 } })).toEqual(
      naming('images.example.com', '12 compressions', '30 saved', '345', '500', '8 left'),
    )
  })

  it('leaves out what there is nothing to say about', () => {
    const bare = { ...usage, compressions: 1, saved: 0, fallbacks: { local: 0, original: 0 }, left: null }
    expect(lineOf({ ...bare, keys: [{ key: '…', compressions: 1, month: 7, limit: null }] })).toBe(
      'pixpress  images.example.com  1 compression used  7 this month',
    )
    expect(lineOf({ ...bare, keys: [{ key: '…', compressions: 1, month: null, limit: 9 }] })).toBe(
      'pixpress  images.example.com  1 compression used',
    )
  })

  it('says what may have been used besides', () => {
    const { keys: _, ...others } = usage
    const said = lineOf({
      ...others,
      keys: [],
      unanswered: 2,
      saved: 0,
      fallbacks: { local: 0, original: 0 },
      left: null,
    })
    expect(said).toEqual(naming('images.example.com', '12 compressions', '2'))
  })

  it('names keys where there are several', () => {
    const keys = [
      { key: '…wxyz', compressions: 2, month: 500, limit: 500 },
      { key: '…abcd', compressions: 1, month: 4, limit: 500 },
    ]
    const said = lineOf({ ...usage, saved: 0, fallbacks: { local: 0, original: 0 }, left: null, keys })
    expect(said).toBe(
      'pixpress  images.example.com  12 compressions used  …wxyz 500 of 500 this month  …abcd 4 of 500 this month',
    )
  })

  it('says of several endpoints how many images each did, and which were left', () => {
    const said = lineOf({
      ...usage,
      saved: 0,
      fallbacks: { local: 0, original: 0 },
      left: null,
      endpoints: [
        at('https://images.example.com/v1', 8, null),
        at('https://images.example.com/v2', 1, 'it failed 3 times in a row'),
      ],
    })
    expect(said).toBe(
      'pixpress  images.example.com/v1 8 images  images.example.com/v2 1 image (left)  12 compressions used  345 of 500 this month',
    )
  })

  it('goes on in a further line where there is no room', () => {
    const text = renderReport({ ...reportOf([image('a.jpg', 900, 400)]), remote: usage }, { ...plain, width: 60 })
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(text).toContain('3 done here')
    expect(text).toContain('1 left')
  })

  it('stands under an all-cached summary too', () => {
    const cached = reportOf([image('a.jpg', 900, 400, { cached: true })])
    const text = renderReport({ ...cached, remote: { ...usage, compressions: 0 } }, plain)
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toEqual(naming('0 compressions', '30 saved'))
  })
})

it('is part of the data, where there was a service', () => {
  expect(createReport(new Map(), [], 0, { remote: usage }).remote).toEqual(usage)
  expect(createReport(new Map(), [], 0)).not.toHaveProperty('remote')
})
