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

  it('lets pictures for a page be made of photographs of 12 megapixels in two threads', () => {
    const photograph = probe(4000, 3000)
    const avif = workingMemory(photograph, ['image/avif'], { width: 1280, height: 960 })
    const jpeg = workingMemory(photograph, ['image/jpeg'], { width: 1920, height: 1440 })
    expect(avif + jpeg).toBeLessThanOrEqual(512 * MIB)
    expect(avif).toBeGreaterThan(100 * MIB)
  })

  it('counts the samples of a source that is resized', () => {
    const small = { width: 64, height: 48 }
    const plain = workingMemory(probe(4000, 3000), ['image/jpeg'], small)
    expect(plain).toBeGreaterThan(12e6 * 5)
    expect(workingMemory(probe(4000, 3000, { hasAlpha: true }), ['image/png'], small)).toBeGreaterThan(12e6 * 9)
    expect(workingMemory(probe(4000, 3000, { depth: 16 }), ['image/png'], small)).toBeGreaterThan(12e6 * 15)
    expect(workingMemory(probe(4000, 3000, { type: 'image/avif' }), ['image/jpeg'], small)).toBeGreaterThan(12e6 * 17)
  })

  it('counts what is enlarged by the size that is made', () => {
    const made = workingMemory(probe(100, 100), ['image/jpeg'], { width: 4000, height: 3000 })
    expect(made).toBeGreaterThan(300 * MIB)
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
