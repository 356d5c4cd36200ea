import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { lineId, parseLock, renderLock } from '../../src/lock/lines.ts'
import type { LockLine } from '../../src/lock/lines.ts'

const digest = (digit: string): string => digit.repeat(64)

const line = (source: string, rest: Partial<LockLine> = {}): LockLine => ({
  source,
  operations: { score: 80 },
  type: 'image/webp',
  bytes: 123,
  score: 80.12,
  engine: 12,
  sha256: digest('a'),
  result: digest('b'),
  key: digest('c'),
  ...rest,
})

const refusal = (text: string): string => {
  try {
    parseLock(text, 'pixpress.lock')
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`
  }
  return 'accepted'
}

describe('a lock', () => {
  const lines = [line('b.jpg'), line('a.jpg', { operations: { score: 60 } }), line('a.jpg'), line('a.jpg.png')]
  const text = renderLock(lines)

  it('has a header and one line of JSON for each result, sorted, with the same keys in the same order', () => {
    const [header, ...rows] = text.trimEnd().split('\n')
    expect(header).toBe('{"lock":1}')
    expect(rows.map((row) => lineId(JSON.parse(row) as LockLine))).toEqual([
      'a.jpg\0{"score":60}',
      'a.jpg\0{"score":80}',
      'a.jpg.png\0{"score":80}',
      'b.jpg\0{"score":80}',
    ])
    expect(Object.keys(JSON.parse(rows[0]!) as object)).toEqual([
      'source',
      'operations',
      'type',
      'bytes',
      'score',
      'engine',
      'sha256',
      'result',
      'key',
    ])
  })

  it('is written the same from any order, and after it was read', () => {
    expect(renderLock(lines.toReversed())).toBe(text)
    expect(renderLock(parseLock(text, ''))).toBe(text)
    expect(renderLock(parseLock(text.replaceAll('\n', '\r\n'), ''))).toBe(text)
  })

  it('is nothing where the file is empty', () => {
    expect(parseLock('', '')).toEqual([])
    expect(parseLock(renderLock([]), '')).toEqual([])
  })

  it("may have the formats of convert: 'auto' in its header, or two headers after a merge", () => {
    const [header, ...rows] = renderLock(lines, { auto: ['image/webp'], browsers: 'baseline' }).split('\n')
    expect(header).toBe('{"lock":1,"auto":["image/webp"],"browsers":"baseline"}')
    expect(renderLock(parseLock([header, ...rows].join('\n'), ''))).toBe(text)
    expect(renderLock(parseLock([header, '{"lock":1}', ...rows].join('\n'), ''))).toBe(text)
    expect(refusal([header, '{"lock":1}', 'broken', ...rows].join('\n'))).toContain('Line 3 of pixpress.lock')
  })
})

describe('a file that is no lock', () => {
  const text = renderLock([line('a.jpg'), line('b.jpg')])

  it.each(['<<<<<<< HEAD', '=======', '>>>>>>> branch', '||||||| base'])('is refused for a conflict (%s)', (mark) => {
    const rows = text.split('\n')
    expect(refusal([...rows.slice(0, 2), mark, ...rows.slice(2)].join('\n'))).toEqual(
      naming('LOCK_INVALID: Line 3 ', 'pixpress.lock'),
    )
    expect(refusal(`${mark}\n${text}`)).toEqual(naming('Line 1 ', 'pixpress.lock'))
  })

  it('is refused with the number of the line that is wrong', () => {
    const broken = 'LOCK_INVALID: Line 3 of pixpress.lock is no line of a lock'
    expect(refusal(text.replace('"b.jpg"', '"b.jpg'))).toContain(broken)
    expect(refusal(text.replace(/"source":"b.jpg",/, ''))).toContain(broken)
    expect(refusal(text.replace(/(b\.jpg.*"image\/)webp/, '$1wepb'))).toContain(broken)
    expect(refusal(text.replace(/(b\.jpg.*"sha256":")a/, '$1'))).toContain(broken)
  })

  it('is refused when it has another version of the format, or none', () => {
    expect(refusal(text.replace('"lock":1', '"lock":2'))).toContain('has version 2 of the format')
    expect(refusal('{}\n')).toEqual(naming('LOCK_INVALID: pixpress.lock', '{"lock":1}'))
    expect(refusal('hello\n')).toContain('is no lock')
  })
})
