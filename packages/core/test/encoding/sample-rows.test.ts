import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import { sampleRows } from '../../src/encoding/sample-rows.ts'

/** A picture whose rows have their number as red and green. */
function numbered(height: number): Picture {
  const data = Buffer.alloc(3 * height)
  for (let y = 0; y < height; y++) data.writeUInt16LE(y, 3 * y)
  return createPicture({ data, width: 1, height, channels: 3 })
}

describe('rows of a picture', () => {
  it('are an eighth of it, in order and from every part', () => {
    const sample = sampleRows(numbered(800))!
    expect([sample.width, sample.height, sample.data.length]).toEqual([1, 96, 288])
    const rows = Array.from({ length: sample.height }, (_, y) => sample.data.readUInt16LE(3 * y))
    expect(rows).toEqual(rows.toSorted((a, b) => a - b))
    for (let part = 0; part < 8; part++) {
      expect(rows.filter((row) => Math.floor(row / 100) === part)).toHaveLength(12)
    }
  })

  it('are none where there are too few to tell', () => {
    expect(sampleRows(numbered(500))).toBeUndefined()
  })
})
