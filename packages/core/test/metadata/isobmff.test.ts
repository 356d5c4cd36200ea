import { describe, expect, it } from 'vitest'
import { parseBoxes } from '../../src/metadata/isobmff.ts'

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))
const parse = (...boxes: Uint8Array[]): ReturnType<typeof parseBoxes> => {
  const data = Buffer.concat(boxes)
  return parseBoxes(data, 0, data.length)
}

describe('parseBoxes', () => {
  it('reads sizes of 32 bits, of 64 bits, and up to the end', () => {
    expect(
      parse(
        bytes(0, 0, 0, 9, 'ftyp', 1),
        bytes(0, 0, 0, 1, 'meta', 0, 0, 0, 0, 0, 0, 0, 17, 2),
        bytes(0, 0, 0, 0, 'mdat', 3, 4),
      ),
    ).toEqual([
      { type: 'ftyp', start: 0, content: 8, end: 9 },
      { type: 'meta', start: 9, content: 25, end: 26 },
      { type: 'mdat', start: 26, content: 34, end: 36 },
    ])
  })

  it.each([
    ['smaller than its header', bytes(0, 0, 0, 7, 'ftyp', 1)],
    ['longer than the rest', bytes(0, 0, 0, 10, 'ftyp', 1)],
    ['of truncated 64 bits', bytes(0, 0, 0, 1, 'ftyp', 0, 0)],
    ['of 64 bits smaller than its header', bytes(0, 0, 0, 1, 'ftyp', 0, 0, 0, 0, 0, 0, 0, 15)],
    ['of almost 2^64 bytes', bytes(0, 0, 0, 1, 'ftyp', 255, 255, 255, 255, 255, 255, 255, 255)],
  ])('ends at a box %s', (_, box) => {
    expect(parse(box)).toEqual([])
  })

  it('looks at a bounded number', () => {
    const boxes = Array.from({ length: 5000 }, () => bytes(0, 0, 0, 8, 'free'))
    expect(parse(...boxes).length).toBeLessThan(5000)
  })
})
