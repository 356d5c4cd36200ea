import { describe, expect, it } from 'vitest'
import { huffmanCodes, huffmanDecoder, optimalTable } from '../../../src/formats/jpeg/huffman.ts'

function occurrencesOf(given: readonly number[]): Uint32Array {
  const occurrences = new Uint32Array(256)
  occurrences.set(given)
  return occurrences
}

/** Counts the 16-bit codes that begin with a code of the table. */
const used = (counts: Uint8Array): number => counts.reduce((sum, count, length) => sum + count * 2 ** (16 - length), 0)

describe('optimalTable', () => {
  it('gives frequent symbols the short codes', () => {
    const { codes, lengths } = huffmanCodes(optimalTable(occurrencesOf([1, 100, 0, 10, 30])))
    expect([...lengths.subarray(0, 5)]).toEqual([4, 1, 0, 3, 2])
    expect([...codes.subarray(0, 5)]).toEqual([0b1110, 0b0, 0, 0b110, 0b10])
  })

  it('has no code of all ones, and none above 16 bits, however rare a symbol is', () => {
    const fibonacci = [1, 1]
    while (fibonacci.length < 40) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!)
    for (const given of [fibonacci, [7], [0, 3, 3], Array.from({ length: 256 }, (_, symbol) => symbol + 1)]) {
      const table = optimalTable(occurrencesOf(given))
      expect([...table.symbols].sort((a, b) => a - b)).toEqual(
        given.flatMap((count, symbol) => (count > 0 ? [symbol] : [])),
      )
      expect(table.counts.reduce((sum, count) => sum + count, 0)).toBe(table.symbols.length)
      expect(used(table.counts)).toBeLessThan(2 ** 16)
      expect(huffmanDecoder(table)).toBeDefined()
    }
  })
})

describe('huffmanDecoder', () => {
  it('refuses more codes than their lengths allow', () => {
    const counts = new Uint8Array(17)
    counts[1] = 3
    expect(huffmanDecoder({ counts, symbols: Uint8Array.of(1, 2, 3) })).toBeUndefined()
  })

  it('refuses a table without all of its symbols', () => {
    const counts = new Uint8Array(17)
    counts[2] = 3
    expect(huffmanDecoder({ counts, symbols: Uint8Array.of(1, 2) })).toBeUndefined()
  })
})
