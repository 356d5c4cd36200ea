import { describe, expect, it } from 'vitest'
import { BoolReader, BoolWriter, EVEN } from '../../../src/formats/webp/bool-coder.ts'

/** A repeatable sequence of bits with their odds. */
function bitsOf(count: number, seed: number): { bit: 0 | 1; odds: number }[] {
  let state = seed
  const next = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8
  return Array.from({ length: count }, () => {
    const odds = 1 + (next() % 255)
    return { odds, bit: next() % 256 >= odds ? 1 : 0 }
  })
}

function written(bits: readonly { bit: 0 | 1; odds: number }[]): Uint8Array {
  const writer = new BoolWriter()
  for (const { bit, odds } of bits) writer.write(bit, odds)
  return writer.end()
}

describe('BoolWriter', () => {
  it.each([0, 1, 7, 8, 9, 1000, 20_000])('writes %i bits that a reader reads back', (count) => {
    const bits = bitsOf(count, count + 1)
    const data = written(bits)
    const reader = new BoolReader(data)
    expect(bits.map(({ odds }) => reader.read(odds))).toEqual(bits.map(({ bit }) => bit))
    expect(reader.isPastEnd).toBe(false)
  })

  it('carries over bytes of ones', () => {
    // Unlikely ones and zeros after each other leave long runs of ones that a carry turns into zeros.
    const bits = Array.from({ length: 3000 }, (_, at) => ({ bit: (at % 97 < 90 ? 1 : 0) as 0 | 1, odds: 1 + (at % 3) }))
    const reader = new BoolReader(written(bits))
    expect(bits.every(({ bit, odds }) => reader.read(odds) === bit)).toBe(true)
  })
})

describe('BoolReader', () => {
  it('reads zeros behind the end, and says so', () => {
    const reader = new BoolReader(new Uint8Array())
    expect(reader.isPastEnd).toBe(false)
    expect(Array.from({ length: 64 }, () => reader.read(EVEN))).toEqual(Array.from({ length: 64 }, () => 0))
    expect(reader.isPastEnd).toBe(true)
  })
})
