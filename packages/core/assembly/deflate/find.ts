// Matches: for each position those that are longer than any nearer one, from two chains of positions, whose next eight and sixteen bytes
// have one hash, and the last positions whose next three and four do. Near-lossless rows have so few values that matches are 20 bytes long:
// with chains of four bytes ten times as many candidates found no more.
import { distanceCode } from './codes'
import {
  CHUNK, HASH_BITS, LONGEST, MOST_MATCHES, SHORTEST, SHORT_HASH_BITS, WINDOW, chunk, distanceCosts, eightHeads, eights, fourHeads, lengthCosts,
  literalCosts, matches, sixteenHeads, sixteens, starts, threeHeads, totals,
} from './memory' // prettier-ignore

/** Of a position, its low bits are kept: what is further than the window is found out by the bytes. */
const LOW: i32 = 0xffff

const MIX: u32 = 0x9e3779b1
const LONG_MIX: u64 = 0x9e3779b97f4a7c15
const OTHER_MIX: u64 = 0xc2b2ae3d27d4eb4f

/** Matches of the chunk so far, and the length of the longest at the position that is looked at. */
let found: i32 = 0
let longest: i32 = 0

/** Forgets all positions, and what another stream left behind the bytes of this one, which the hashes of its last ones read. */
export function forget(): void {
  memory.fill(chunk, 0, CHUNK + LONGEST + 16)
  memory.fill(threeHeads, 0, 2 << SHORT_HASH_BITS)
  memory.fill(fourHeads, 0, 2 << HASH_BITS)
  memory.fill(eightHeads, 0, 2 << HASH_BITS)
  memory.fill(sixteenHeads, 0, 2 << HASH_BITS)
  memory.fill(eights, 0, 2 * WINDOW)
  memory.fill(sixteens, 0, 2 * WINDOW)
}

@inline
function hashOfThree(at: usize): usize {
  return <usize>(((load<u32>(at) << 8) * MIX) >> (32 - SHORT_HASH_BITS)) << 1
}

@inline
function hashOfFour(at: usize): usize {
  return <usize>((load<u32>(at) * MIX) >> (32 - HASH_BITS)) << 1
}

@inline
function hashOfEight(at: usize): usize {
  return <usize>((load<u64>(at) * LONG_MIX) >> (64 - HASH_BITS)) << 1
}

@inline
function hashOfSixteen(at: usize): usize {
  return <usize>(((load<u64>(at) * LONG_MIX) ^ (load<u64>(at + 8) * OTHER_MIX)) >> (64 - HASH_BITS)) << 1
}

/** Puts a position at the head of a list. Returns which was. */
@inline
function replace(head: usize, position: i32): i32 {
  const before = <i32>load<u16>(head)
  store<u16>(head, <u16>position)
  return before
}

@inline
function link(chain: usize, position: i32, before: i32): void {
  store<u16>(chain + ((position & (WINDOW - 1)) << 1), <u16>before)
}

/** How many bytes of two places are equal, at most so many. */
@inline
function lengthOf(one: usize, other: usize, most: i32): i32 {
  for (let length = 0; length < most; length += 8) {
    const differing = load<u64>(one + length) ^ load<u64>(other + length)
    if (differing != 0) return min(most, length + <i32>(ctz(differing) >> 3))
  }
  return most
}

/** Keeps a match that takes no more bits than literals would, about. */
@inline
function keep(at: i32, distance: i32, length: i32): void {
  longest = length
  const code = distanceCode(distance)
  const cost = load<i32>(distanceCosts + (code << 2)) + load<i32>(lengthCosts + (length << 2))
  const literals = totals + (<usize>at << 2)
  if (cost > load<i32>(literals + (<usize>length << 2)) - load<i32>(literals)) return
  store<u32>(matches + (<usize>found << 2), (code << 26) | (distance << 9) | length)
  found++
}

/** Looks at one candidate. */
@inline
function look(at: i32, position: i32, candidate: i32, most: i32): void {
  const distance = (position - candidate) & LOW
  if (distance == 0 || distance > min(WINDOW, position)) return
  const length = lengthOf(chunk + at, chunk + at - distance, most)
  if (length > longest) keep(at, distance, length)
}

/** Follows a chain, up to so many candidates. */
function follow(chain: usize, at: i32, position: i32, head: i32, depth: i32, nice: i32, most: i32): void {
  const here = chunk + at
  const furthest = min(WINDOW, position)
  // Where bytes must be equal for a match to be longer than the longest.
  let tail = max(0, longest - 7)
  let ending = load<u64>(here + tail)
  let last = 0
  let candidate = head
  for (let left = depth; left > 0 && longest < nice; left--) {
    const distance = (position - candidate) & LOW
    if (distance <= last || distance > furthest) return
    last = distance
    if (load<u64>(here - distance + tail) == ending) {
      const length = lengthOf(here, here - distance, most)
      if (length > longest) {
        keep(at, distance, length)
        if (length == most) return
        tail = max(0, length - 7)
        ending = load<u64>(here + tail)
      }
    }
    candidate = <i32>load<u16>(chain + ((candidate & (WINDOW - 1)) << 1))
  }
}

/** Sums what literals cost, up to each position. */
function addUp(size: i32): void {
  let sum = 0
  for (let at = 0; at < size; at++) {
    store<i32>(totals + (<usize>at << 2), sum)
    sum += load<i32>(literalCosts + (<usize>load<u8>(chunk + at) << 2))
  }
  store<i32>(totals + (<usize>size << 2), sum)
}

/**
 * Finds a chunk's, by the costs that are set.
 * @param before bytes of the whole before it
 * @param eight candidates of eight equal bytes per position
 * @param sixteen the same of sixteen
 * @param nice a match of this length is not looked into for others
 */
export function findMatches(before: i32, size: i32, eight: i32, sixteen: i32, nice: i32): void {
  addUp(size)
  found = 0
  let skipped = 0
  for (let at = 0; at < size; at++) {
    store<u32>(starts + (<usize>at << 2), found)
    const here = chunk + at
    const position = before + at
    const three = replace(threeHeads + hashOfThree(here), position)
    const four = replace(fourHeads + hashOfFour(here), position)
    const eightHead = replace(eightHeads + hashOfEight(here), position)
    const sixteenHead = replace(sixteenHeads + hashOfSixteen(here), position)
    link(eights, position, eightHead)
    link(sixteens, position, sixteenHead)
    if (skipped > 0) {
      skipped--
      continue
    }
    const most = min(LONGEST, size - at)
    if (most < SHORTEST || found >= MOST_MATCHES) continue
    longest = SHORTEST - 1
    look(at, position, three, most)
    if (four != three) look(at, position, four, most)
    if (longest < most) follow(eights, at, position, eightHead, eight, nice, most)
    if (longest < most) follow(sixteens, at, position, sixteenHead, sixteen, nice, most)
    if (longest >= nice) skipped = longest - 1
  }
  store<u32>(starts + (<usize>size << 2), found)
}
