import { describe, expect, it } from 'vitest'
import { workingMemory } from '../../../src/engines/local/memory.ts'
import type { ProbeResult } from '../../../src/base/types.ts'

const probe = (width: number, height: number, changes: Partial<ProbeResult> = {}): ProbeResult => ({
  type: 'image/jpeg',
  width,
  height,
  size: 1000,
  hasAlpha: false,
  frames: 1,
  orientation: 1,
  depth: 8,
  ...changes,
})

const MIB = 2 ** 20

describe('workingMemory', () => {
  it('lets two photographs of 12 megapixels be worked on within the default bound', () => {
    const photograph = workingMemory(probe(4000, 3000), ['image/jpeg'])
    expect(photograph * 2).toBeLessThanOrEqual(768 * MIB)
    expect(photograph).toBeGreaterThan(300 * MIB)
  })

  it('lets a long animation be worked on beside a small one', () => {
    const animation = workingMemory(probe(640, 500, { type: 'image/webp', frames: 191 }), ['image/webp'])
    expect(animation).toBeLessThanOrEqual(512 * MIB)
    expect(animation).toBeGreaterThan(400 * MIB)
  })

  it('counts the prepared comparison of pictures that have one', () => {
    const small = workingMemory(probe(1500, 1500), ['image/jpeg']) / 2.25e6
    const large = workingMemory(probe(8000, 2000), ['image/jpeg']) / 16e6
    expect(small).toBeGreaterThan(large + 15)
  })

  it.each([
    ['AVIF', {}, 'image/avif'],
    ['transparency', { hasAlpha: true }, 'image/jpeg'],
    ['JPEG XL', {}, 'image/jxl'],
    ['frames', { frames: 9 }, 'image/jpeg'],
  ] as const)('counts %s', (_, changes, type) => {
    const plain = workingMemory(probe(500, 500), ['image/jpeg'])
    expect(workingMemory(probe(500, 500, changes), [type])).toBeGreaterThan(plain)
  })
})
