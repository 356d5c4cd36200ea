import type { LockLine } from '@pixpress/core/internal'
import { describe, expect, it } from 'vitest'
import { createDeliveredLookup, heaviestLine } from '../../src/check/delivered-lines.ts'

const digest = (digit: string): string => digit.repeat(64)

function line(bytes: number, more: Partial<LockLine> = {}): LockLine {
  const digests = { sha256: digest('a'), result: digest('b'), key: digest(String(bytes % 10)) }
  return { source: 'src/a.jpg', operations: {}, type: 'image/jpeg', bytes, engine: 1, ...digests, ...more }
}

const nameOf = (file: string): string => file.replace('/site/', '')

describe('createDeliveredLookup', () => {
  it('gives the heaviest of the lines for the present bytes of a file', () => {
    const lines = [line(10), line(30, { score: 81.2 }), line(20), line(99, { sha256: digest('c') })]
    const find = createDeliveredLookup({ lines, nameOf })
    expect(find('/site/src/a.jpg', digest('a'), false)).toEqual({
      bytes: 30,
      type: 'image/jpeg',
      score: 81.2,
      id: digest('0'),
    })
    expect(find('/site/src/a.jpg', digest('d'), false)).toBeUndefined()
    expect(find('/site/src/b.jpg', digest('a'), false)).toBeUndefined()
  })
})

describe('heaviestLine', () => {
  const converted = line(20, { operations: { types: ['image/webp'] }, type: 'image/webp' })

  it('leaves lines in the own type to the time before images were converted', () => {
    expect(heaviestLine([line(30), converted], true)).toBe(converted)
    expect(heaviestLine([line(30), converted], false)!.bytes).toBe(30)
    expect(heaviestLine([line(30)], true)!.bytes).toBe(30)
    expect(heaviestLine([], true)).toBeUndefined()
  })
})
