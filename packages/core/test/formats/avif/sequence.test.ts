import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { probeSequence } from '../../../src/formats/avif/sequence.ts'
import { optimize } from '../../../src/index.ts'

const source = readFileSync(new URL('../../fixtures/meaning/seq.avif', import.meta.url))

describe('an AVIF sequence', () => {
  it('is passed through with a note, also where it has no still image', async () => {
    for (const operations of [{}, { convert: { type: 'avif' } }, { convert: { type: ['webp', 'avif'] } }] as const) {
      const { data, kept, notes, info } = await optimize(source, operations)
      expect([kept, notes]).toEqual(['input', [expect.stringContaining('passed through')]])
      expect(info).toMatchObject({ type: 'image/avif', frames: 2 })
      expect(Buffer.compare(data, source)).toBe(0)
    }
  })

  it.each([{ convert: { type: 'webp' } }, { resize: { method: 'scale', width: 10 } }] as const)(
    'is refused where it was to be changed: %j',
    async (operations) => {
      await expect(optimize(source, operations)).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
    },
  )

  it('has the size of its pictures', () => {
    expect(probeSequence(source)).toEqual({ width: 160, height: 120, hasAlpha: true, frames: 2, depth: 8 })
    for (let end = 0; end < source.length; end += 7) expect(() => probeSequence(source.subarray(0, end))).not.toThrow()
    expect(probeSequence(source.subarray(0, 100))).toBeUndefined()
  })
})
