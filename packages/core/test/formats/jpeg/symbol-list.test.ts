import { expect, it } from 'vitest'
import { BitWriter } from '../../../src/formats/jpeg/bit-writer.ts'
import { huffmanCodes, optimalTable } from '../../../src/formats/jpeg/huffman.ts'
import { SymbolList } from '../../../src/formats/jpeg/symbol-list.ts'

it('counts symbols and writes them in order, with the bits behind them', () => {
  const symbols = Array.from({ length: 150_000 }, (_, at) => {
    const length = (at * 7) % 12
    return { table: at % 4, symbol: (at * at) % 251, extra: (at * 31) & ((1 << length) - 1), length }
  })
  const list = new SymbolList(4)
  const occurrences = Array.from({ length: 4 }, () => new Uint32Array(256))
  for (const { table, symbol, extra, length } of symbols) {
    list.add(table, symbol, extra, length)
    occurrences[table]![symbol]!++
  }
  expect(list.occurrences).toEqual(occurrences)
  const coders = list.occurrences.map((each) => huffmanCodes(optimalTable(each)))
  const bits = new BitWriter()
  for (const { table, symbol, extra, length } of symbols) {
    bits.put(coders[table]!.codes[symbol]!, coders[table]!.lengths[symbol]!)
    if (length > 0) bits.put(extra, length)
  }
  expect(Buffer.compare(list.write(coders), bits.finish())).toBe(0)
})
