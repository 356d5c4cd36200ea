// The cheapest way through bytes by what symbols cost: from the end to the start, each position's best.
import {
  LANES, addIntegers, areBelow, areEqual, chooseIntegers, getIntegers, laneNumbers, lowest, splatInteger,
} from '../lanes' // prettier-ignore
import { lengthCode } from './codes'
import {
  COUNTS, END, LENGTHS, SYMBOLS, choices, chunk, distanceCosts, lengthCosts, literalCosts, matches, starts, totals,
} from './memory' // prettier-ignore

/** Chooses from the matches that were found between two positions of the chunk. */
export function parse(from: i32, to: i32): void {
  let after = 0
  store<i32>(totals + (<usize>to << 2), 0)
  let end = load<u32>(starts + (<usize>to << 2))
  for (let at = to - 1; at >= from; at--) {
    let best = after + load<i32>(literalCosts + (<usize>load<u8>(chunk + at) << 2))
    let choice: u32 = 1
    const start = load<u32>(starts + (<usize>at << 2))
    const here = totals + (<usize>at << 2)
    let length: i32 = 3
    for (let match = start; match < end; match++) {
      const found = load<u32>(matches + (<usize>match << 2))
      const distance = load<i32>(distanceCosts + ((found >> 26) << 2))
      const longest = min(<i32>(found & 511), to - at)
      if (LANES > 1 && longest - length >= LANES) {
        const costs = splatInteger(distance)
        let least = splatInteger(best)
        let chosen = splatInteger(0)
        const last = longest + 1 - LANES
        while (true) {
          const sum = addIntegers(getIntegers(lengthCosts + (length << 2)), getIntegers(here + (<usize>length << 2)))
          const cost = addIntegers(costs, sum)
          const isLess = areBelow(cost, least)
          least = chooseIntegers(isLess, cost, least)
          chosen = chooseIntegers(isLess, splatInteger(length), chosen)
          if (length == last) break
          // The last ones may be compared twice, which changes nothing.
          length = min(length + LANES, last)
        }
        length = longest + 1
        const cheapest = lowest(least)
        if (cheapest < best) {
          best = cheapest
          // The shortest of those that cost as little.
          const lengths = addIntegers(chosen, laneNumbers())
          const isCheapest = areEqual(least, splatInteger(cheapest))
          choice = (found & ~511) | lowest(chooseIntegers(isCheapest, lengths, splatInteger(longest)))
        }
        continue
      }
      for (; length <= longest; length++) {
        const cost = distance + load<i32>(lengthCosts + (length << 2)) + load<i32>(here + (<usize>length << 2))
        if (cost < best) {
          best = cost
          choice = (found & ~511) | length
        }
      }
    }
    store<i32>(here, best)
    store<u32>(choices + (<usize>at << 2), choice)
    after = best
    end = start
  }
}

/** Counts the symbols of what was chosen, with the end of a block. */
export function count(from: i32, to: i32, counts: usize): void {
  memory.fill(counts, 0, COUNTS << 2)
  store<u32>(counts + (END << 2), 1)
  for (let at = from; at < to; ) at += countOne(at, counts)
}

/** Counts one choice. Returns its length. */
@inline
export function countOne(at: i32, counts: usize): i32 {
  const choice = load<u32>(choices + (<usize>at << 2))
  const length = <i32>(choice & 511)
  if (length == 1) {
    add(counts, load<u8>(chunk + at))
  } else {
    add(counts, LENGTHS + lengthCode(length))
    add(counts, SYMBOLS + (choice >> 26))
  }
  return length
}

@inline
function add(counts: usize, symbol: i32): void {
  const at = counts + (symbol << 2)
  store<u32>(at, load<u32>(at) + 1)
}
