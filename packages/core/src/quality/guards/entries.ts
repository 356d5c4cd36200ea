import { fastestBuild } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { engineOf, makeRoom, putAt } from './engine.ts'
import type { GuardsExports } from './engine.ts'

/** Entries of a palette at most. */
const ENTRIES = 256
/** Width of the pictures whose rows' room in memory a batch of pixels takes. */
const BATCH_WIDTH = 512

/**
 * Values of the pixels of each entry of a palette: two, among which is every one that half of its pixels have, and how
 * many have them. No pixels are counted for values that half of an entry's pixels cannot have.
 */
export interface EntryCounts {
  /** RGBA, 32 bits, red lowest; 0 for all pixels of alpha 0. Two per entry, and the pixels that have each. */
  values: Uint32Array
  counts: Uint32Array
  /** Pixels of alpha 255, and all pixels. */
  opaque: Uint32Array
  totals: Uint32Array
}

/** Counts the values that the pixels of each entry have; `indices` holds the entry of each, a byte. */
export function countEntries({ data, channels }: Pixels, indices: Uint8Array): EntryCounts {
  const engine = engineOf(fastestBuild())
  makeRoom(engine, { width: BATCH_WIDTH, height: 1, compares: false, keeps: false })
  const [source, entries] = [engine.originalAddress(0, channels), engine.resultAddress()]
  const batch = BATCH_WIDTH * engine.BATCH_ROWS.value
  engine.startEntries()
  const inBatches = (take: typeof engine.countValues): void => {
    for (let first = 0; first < indices.length; first += batch) {
      const part = indices.subarray(first, first + batch)
      putAt(engine, source, data.subarray(first * channels, (first + part.length) * channels))
      putAt(engine, entries, part)
      take(part.length, source, entries, channels)
    }
  }
  inBatches(engine.voteForValues)
  if (engine.endVotes(channels) === 1) inBatches(engine.countValues)
  return readCounts(engine)
}

/** A module that counts the values of entries, of assembly/snap.ts. */
export type EntryCounter = Pick<
  GuardsExports,
  | 'memory'
  | 'startEntries'
  | 'voteForValues'
  | 'endVotes'
  | 'countValues'
  | 'valuesAddress'
  | 'countsAddress'
  | 'opaqueAddress'
  | 'totalsAddress'
>

/** Pixels and the entry of each that lie in a module's memory. */
export interface HeldEntries {
  readonly pixels: number
  readonly channels: 3 | 4
  /** Addresses. */
  readonly source: number
  readonly indices: number
}

/** The same as `countEntries` of what another module holds, without a copy. */
export function countHeldEntries(
  counter: EntryCounter,
  { pixels, channels, source, indices }: HeldEntries,
): EntryCounts {
  counter.startEntries()
  counter.voteForValues(pixels, source, indices, channels)
  if (counter.endVotes(channels) === 1) counter.countValues(pixels, source, indices, channels)
  return readCounts(counter)
}

function readCounts(counter: EntryCounter): EntryCounts {
  const numbers = (address: number, length: number): Uint32Array =>
    new Uint32Array(counter.memory.buffer, address, length).slice()
  return {
    values: numbers(counter.valuesAddress(), 2 * ENTRIES),
    counts: numbers(counter.countsAddress(), 2 * ENTRIES),
    opaque: numbers(counter.opaqueAddress(), ENTRIES),
    totals: numbers(counter.totalsAddress(), ENTRIES),
  }
}
