// Smaller palettes: pairs of entries of the largest are merged, each time the pair that costs least (Equitz 1989).

import { classOf, colours, entryAt, ENTRY_BYTES, isFixed, setColours, setWeight, weightOf } from './entries'
import { bins } from './histogram'
import { entries, keptEntries, MOST_COLOURS, TRANSLUCENT } from './memory'
import { distance } from './space'

/** The largest palette. */
const kept: usize = memory.data(MOST_COLOURS * 32, 16)
let keptColours: i32 = 0
/** Per number of colours: the weighted squared error that merging down to it adds. */
const errors: usize = memory.data((MOST_COLOURS + 1) * 8, 16)
/** Per entry: the other that it costs least to merge with, that cost, and whether it is left. */
const partners: usize = memory.data(MOST_COLOURS * 4, 16)
const costs: usize = memory.data(MOST_COLOURS * 8, 16)
const left: usize = memory.data(MOST_COLOURS, 16)
/** The pairs in the order in which they are merged, two bytes each, and how many there are. */
const pairs: usize = memory.data(MOST_COLOURS * 2, 16)
let merges: i32 = 0
/** Per entry of the largest palette: the one that it has become. */
const became: usize = memory.data(MOST_COLOURS, 16)
/** Per entry that is left: where it comes to lie. */
const places: usize = memory.data(MOST_COLOURS, 16)

/** The squared distance from which moving the rarer of two colours costs twice as much: small coloured parts keep theirs. */
const FAR: f64 = 150
/** Entries that are exact colours are merged with each other last. */
const FIXED_COST: f64 = 1e15
const NEVER: f64 = f64.MAX_VALUE

/** Keeps the largest palette, and which of it every bin has. */
export function keepEntries(): void {
  keptColours = colours
  memory.copy(kept, entryAt(0), colours * ENTRY_BYTES)
  memory.copy(keptEntries, entries, bins)
}

export function errorsAddress(): usize {
  return errors
}

/** Whether an entry stays what it is when the other is merged with it. */
@inline
function holdsOut(one: usize, other: usize): bool {
  if (classOf(one) != classOf(other)) return classOf(one) != TRANSLUCENT
  return isFixed(one) && (!isFixed(other) || weightOf(one) >= weightOf(other))
}

@inline
function added(one: usize, other: usize): f64 {
  const a = weightOf(one)
  const b = weightOf(other)
  const far = <f64>distance(one, other)
  return holdsOut(one, other) ? far * b : holdsOut(other, one) ? far * a : (far * a * b) / (a + b)
}

/** Clear and opaque never become one; what is between may become either. */
function costOf(one: usize, other: usize): f64 {
  if (classOf(one) != classOf(other) && classOf(one) != TRANSLUCENT && classOf(other) != TRANSLUCENT) return NEVER
  const a = weightOf(one)
  const b = weightOf(other)
  const share = max(a, b) / (a + b)
  const moved = (share * share * <f64>distance(one, other)) / FAR
  const cost = added(one, other) * (1 + moved * moved)
  return isFixed(one) && isFixed(other) ? (cost + 1) * FIXED_COST : cost
}

/**
 * A lower bound of the cost, which takes a tenth of its time: at least half of the rarer colour's weight moves all the way. A little
 * less, as sums are rounded.
 */
@inline
function leastCost(one: usize, other: usize): f64 {
  return 0.499 * <f64>distance(one, other) * min(weightOf(one), weightOf(other))
}

function findPartner(index: i32, count: i32): void {
  let least = NEVER
  let partner = -1
  const entry = entryAt(index)
  for (let i = 0; i < count; i++) {
    if (i == index || !load<u8>(left + i) || leastCost(entry, entryAt(i)) >= least) continue
    const cost = costOf(entry, entryAt(i))
    if (cost < least) {
      least = cost
      partner = i
    }
  }
  store<f64>(costs + index * 8, least)
  store<i32>(partners + index * 4, partner)
}

/** Finds which pairs are merged down to one colour, or as few as there are kinds of pixels, and what error each adds. */
export function mergeAll(): void {
  const count = keptColours
  memory.fill(left, 1, count)
  for (let i = 0; i < count; i++) findPartner(i, count)
  let error: f64 = 0
  let remaining = count
  merges = 0
  store<f64>(errors + remaining * 8, 0)
  while (remaining > 1) {
    let one = -1
    for (let i = 0; i < count; i++) {
      if (load<u8>(left + i) && (one < 0 || load<f64>(costs + i * 8) < load<f64>(costs + one * 8))) one = i
    }
    const other = load<i32>(partners + one * 4)
    if (other < 0) break
    error += added(entryAt(one), entryAt(other))
    remaining--
    store<f64>(errors + remaining * 8, error)
    store<u8>(pairs + merges * 2, <u8>one)
    store<u8>(pairs + merges * 2, <u8>other, 1)
    merges++
    const gone = mergePair(one, other)
    const stays = gone == one ? other : one
    store<u8>(left + gone, 0)
    for (let i = 0; i < count; i++) {
      if (!load<u8>(left + i)) continue
      const partner = load<i32>(partners + i * 4)
      if (i == stays || partner == stays || partner == gone) findPartner(i, count)
      else {
        const before = load<f64>(costs + i * 8)
        if (leastCost(entryAt(i), entryAt(stays)) >= before) continue
        const cost = costOf(entryAt(i), entryAt(stays))
        if (cost >= before) continue
        store<f64>(costs + i * 8, cost)
        store<i32>(partners + i * 4, stays)
      }
    }
  }
  for (let i = 0; i < remaining; i++) store<f64>(errors + i * 8, NEVER)
}

/** Merges the largest palette down to `wanted` colours, or as few as there are kinds of pixels, and gives every bin what its entry became. */
export function mergeTo(wanted: i32): void {
  const count = keptColours
  memory.copy(entryAt(0), kept, count * ENTRY_BYTES)
  memory.fill(left, 1, count)
  for (let i = 0; i < count; i++) store<u8>(became + i, <u8>i)
  const most = min(merges, count - wanted)
  for (let at = 0; at < most; at++) {
    const one = <i32>load<u8>(pairs + at * 2)
    const other = <i32>load<u8>(pairs + at * 2, 1)
    const gone = mergePair(one, other)
    store<u8>(left + gone, 0)
    store<u8>(became + gone, <u8>(gone == one ? other : one))
  }
  // From the end of each chain of merges to its place among those that are left.
  for (let i = 0; i < count; i++) {
    let last = <i32>load<u8>(became + i)
    while (!load<u8>(left + last)) last = load<u8>(became + last)
    store<u8>(became + i, <u8>last)
  }
  let to = 0
  for (let i = 0; i < count; i++) {
    if (!load<u8>(left + i)) continue
    if (to != i) memory.copy(entryAt(to), entryAt(i), ENTRY_BYTES)
    store<u8>(places + i, <u8>to)
    to++
  }
  for (let bin = 0; bin < bins; bin++) {
    store<u8>(entries + bin, load<u8>(places + load<u8>(became + load<u8>(keptEntries + bin))))
  }
  setColours(to)
}

/** One of two becomes both. Returns the other. */
function mergePair(one: i32, other: i32): i32 {
  const isOther = holdsOut(entryAt(other), entryAt(one))
  const stays = entryAt(isOther ? other : one)
  const goes = entryAt(isOther ? one : other)
  const a = weightOf(stays)
  const b = weightOf(goes)
  if (!holdsOut(stays, goes)) {
    for (let axis = 0; axis < 16; axis += 4) {
      const mean = (<f64>load<f32>(stays + axis) * a + <f64>load<f32>(goes + axis) * b) / (a + b)
      store<f32>(stays + axis, <f32>mean)
    }
  }
  setWeight(stays, a + b)
  return isOther ? one : other
}
