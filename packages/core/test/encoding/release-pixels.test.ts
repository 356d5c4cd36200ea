import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { releasePixels } from '../../src/encoding/release-pixels.ts'

const MANY = 64 * 2 ** 20

describe('released pixels', () => {
  it('leave memory within a turn, although whoever released them still has a name for them', async () => {
    const before = process.memoryUsage().arrayBuffers
    // In a function of its own, whose names are gone once it has returned.
    const release = (): void => releasePixels(Buffer.alloc(MANY, 1))
    release()
    await turn()
    await turn()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MANY / 2)
  })

  it('are not those of a part of a buffer, which others may read', async () => {
    const whole = Buffer.alloc(2 * 2 ** 20, 7)
    releasePixels(whole.subarray(0, 2 ** 20))
    await turn()
    expect(whole[2 ** 20]).toBe(7)
    expect(whole).toHaveLength(2 * 2 ** 20)
  })
})
