// Huffman's codes, of limited length. Source: RFC 1951, section 3.2.2.
import { scratch } from './memory'

/** Most symbols of an alphabet here, rounded up. */
const MOST: i32 = 288

/**
 * Lengths of the codes of symbols that occur so often, a byte each; 0 of those that do not. At least one symbol has a code.
 * @param limit bits of the longest
 */
export function setLengths(counts: usize, symbols: i32, limit: i32, lengths: usize): void {
  // Of the tree's leaves, the rarest first, and then of its other nodes: how often, and the node above or how deep.
  const weights = scratch
  const parents = weights + MOST * 8
  const order = parents + MOST * 4
  const ofLength = order + MOST * 2
  let leaves = 0
  memory.fill(lengths, 0, symbols)
  for (let symbol = 0; symbol < symbols; symbol++) {
    if (load<u32>(counts + (symbol << 2)) != 0) store<u16>(order + (leaves++ << 1), <u16>symbol)
  }
  if (leaves < 2) {
    store<u8>(lengths + (leaves == 0 ? 0 : <i32>load<u16>(order)), 1)
    return
  }
  sort(counts, order, leaves)
  for (let leaf = 0; leaf < leaves; leaf++) {
    store<u32>(weights + (leaf << 2), load<u32>(counts + (<usize>load<u16>(order + (leaf << 1)) << 2)))
  }
  const root = 2 * leaves - 2
  for (let node = leaves, leaf = 0, inner = leaves; node <= root; node++) {
    let weight: u32 = 0
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < leaves && (inner == node || load<u32>(weights + (leaf << 2)) <= load<u32>(weights + (inner << 2)))
      const taken = takesLeaf ? leaf++ : inner++
      weight += load<u32>(weights + (taken << 2))
      store<u16>(parents + (taken << 1), <u16>node)
    }
    store<u32>(weights + (node << 2), weight)
  }
  memory.fill(ofLength, 0, 64)
  store<u16>(parents + (root << 1), 0)
  let space = 0
  for (let node = root - 1; node >= 0; node--) {
    const depth = <i32>load<u16>(parents + (<usize>load<u16>(parents + (node << 1)) << 1)) + 1
    store<u16>(parents + (node << 1), <u16>depth)
    if (node >= leaves) continue
    const length = min(limit, depth)
    add(ofLength, length, 1)
    space += 1 << (limit - length)
  }
  // Codes that were cut make too many: others become longer until all fit, and what is left over makes some shorter.
  while (space > 1 << limit) {
    let length = limit - 1
    while (load<u32>(ofLength + (length << 2)) == 0) length--
    add(ofLength, length, -1)
    add(ofLength, length + 1, 1)
    space -= 1 << (limit - length - 1)
  }
  while (space < 1 << limit) {
    add(ofLength, limit, -1)
    add(ofLength, limit - 1, 1)
    space++
  }
  for (let length = limit, leaf = 0; length > 0; length--) {
    for (let left = load<u32>(ofLength + (length << 2)); left > 0; left--, leaf++) {
      store<u8>(lengths + load<u16>(order + (leaf << 1)), <u8>length)
    }
  }
}

@inline
function add(list: usize, at: i32, change: i32): void {
  store<i32>(list + (at << 2), load<i32>(list + (at << 2)) + change)
}

/** Shell's way: the rarest first, and of equals the lower symbol. */
function sort(counts: usize, order: usize, size: i32): void {
  for (let gap = size >> 1; gap > 0; gap >>= 1) {
    for (let next = gap; next < size; next++) {
      const symbol = load<u16>(order + (next << 1))
      let at = next
      for (; at >= gap; at -= gap) {
        const other = load<u16>(order + ((at - gap) << 1))
        if (!isBefore(counts, symbol, other)) break
        store<u16>(order + (at << 1), other)
      }
      store<u16>(order + (at << 1), symbol)
    }
  }
}

@inline
function isBefore(counts: usize, one: usize, other: usize): bool {
  const ofOne = load<u32>(counts + (one << 2))
  const ofOther = load<u32>(counts + (other << 2))
  return ofOne < ofOther || (ofOne == ofOther && one < other)
}

/** Codes of lengths that make a whole tree, as they are written: the first bit lowest. */
export function setCodes(lengths: usize, symbols: i32, codes: usize): void {
  const next = scratch
  memory.fill(next, 0, 64)
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(lengths + symbol)
    if (length != 0) add(next, length, 1)
  }
  for (let length = 1, code = 0; length < 16; length++) {
    const many = load<i32>(next + (length << 2))
    store<i32>(next + (length << 2), code)
    code = (code + many) << 1
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(lengths + symbol)
    if (length == 0) continue
    let code = load<i32>(next + (length << 2))
    add(next, length, 1)
    let turned = 0
    for (let bit = 0; bit < length; bit++, code >>= 1) turned = (turned << 1) | (code & 1)
    store<u16>(codes + (symbol << 1), <u16>turned)
  }
}
