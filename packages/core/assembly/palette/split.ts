// The first palette: boxes of bins, of which the one whose best cut takes most error away is cut. The criterion of Wu (1992).

import { bins } from './histogram'
import {
  boxes,
  CLEAR,
  classes,
  features,
  flatColours,
  flatPixels,
  flatVotes,
  MOST_COLOURS,
  OPAQUE,
  order,
  otherOrder,
  pixels,
  TRANSLUCENT,
  weights,
} from './memory'
import { entryAt, setColours, setExact, setWeight } from './entries'

/** One box: i32 first and last (exclusive) in the order, f64 gain of its best cut, f32 place and i32 axis of it, f64 weight, 4 f64 means. */
const BOX: usize = 96
/** Places along an axis that are looked at for a cut. */
const PLACES: i32 = 64
const placeWeights: usize = memory.data(PLACES * 8, 16)
const placeSums: usize = memory.data(PLACES * 8, 16)

/** Share of the pixels, and least number, that are inside areas of one colour, so that it becomes an entry exactly. */
const FIXED_SHARE: f64 = 0.005
const FIXED_PIXELS: f64 = 48
/** Most colours that do. */
const MOST_FIXED: i32 = 64

@inline
function boxAt(index: i32): usize {
  return boxes + <usize>index * BOX
}

/** Splits the bins into at most `most` entries. */
export function split(most: i32): void {
  const fixed = fixFlatColours()
  let count = 0
  count = addClass(OPAQUE, count)
  count = addClass(TRANSLUCENT, count)
  while (count > 0 && count + fixed < most) {
    let best = 0
    for (let i = 1; i < count; i++) if (gainOf(boxAt(i)) > gainOf(boxAt(best))) best = i
    const box = boxAt(best)
    if (gainOf(box) <= 0) break
    const end = load<i32>(box, 4)
    const middle = partition(box)
    if (middle == load<i32>(box) || middle == end) {
      store<f64>(box, -1, 8)
      continue
    }
    store<i32>(box, middle, 4)
    const other = boxAt(count++)
    store<i32>(other, middle)
    store<i32>(other, end, 4)
    examine(box)
    examine(other)
  }
  for (let i = 0; i < count; i++) {
    const box = boxAt(i)
    const entry = entryAt(fixed + i)
    for (let axis = 0; axis < 4; axis++) store<f32>(entry + axis * 4, <f32>load<f64>(box + axis * 8, 32))
    setWeight(entry, load<f64>(box, 24))
    store<u8>(entry, load<u8>(classes + load<i32>(order + load<i32>(box) * 4)), 28)
    store<u8>(entry, 0, 29)
  }
  setColours(fixed + count)
}

/** Entries for alpha 0 and for the colours of large flat areas, whose bins are in no box. Returns how many. */
function fixFlatColours(): i32 {
  let least = max(FIXED_PIXELS, FIXED_SHARE * <f64>pixels)
  for (;;) {
    let count = 0
    for (let bin = 0; bin < bins; bin++) if (isFixedBin(bin, least)) count++
    if (count <= MOST_FIXED) break
    least *= 2
  }
  let count = 0
  let others = 0
  for (let bin = 0; bin < bins; bin++) {
    if (isFixedBin(bin, least)) {
      const entry = entryAt(count++)
      const group = <i32>load<u8>(classes + bin)
      setExact(entry, group == CLEAR ? 0 : load<u32>(flatColours + bin * 4), group, true)
      setWeight(entry, <f64>load<f32>(weights + bin * 4))
    } else {
      store<i32>(otherOrder + others++ * 4, bin)
    }
  }
  othersCount = others
  return count
}

let othersCount: i32 = 0

@inline
function isFixedBin(bin: i32, least: f64): bool {
  if (load<u8>(classes + bin) == CLEAR) return true
  return <f64>load<u32>(flatPixels + bin * 4) >= least && load<i32>(flatVotes + bin * 4) > 0
}

/** One box of all bins of a class, if there are any. */
function addClass(group: i32, count: i32): i32 {
  const start = count == 0 ? 0 : load<i32>(boxAt(count - 1), 4)
  let end = start
  for (let i = 0; i < othersCount; i++) {
    const bin = load<i32>(otherOrder + i * 4)
    if (load<u8>(classes + bin) == group) store<i32>(order + end++ * 4, bin)
  }
  if (end == start) return count
  const box = boxAt(count)
  store<i32>(box, start)
  store<i32>(box, end, 4)
  examine(box)
  return count + 1
}

@inline
function gainOf(box: usize): f64 {
  return load<f64>(box, 8)
}

/** Puts bins below the cut first. Returns where the others begin. */
function partition(box: usize): i32 {
  const end = load<i32>(box, 4)
  const cut = load<f32>(box, 16)
  const axis = <usize>load<i32>(box, 20) * 4
  let low = load<i32>(box)
  let high = 0
  for (let i = low; i < end; i++) {
    const bin = load<i32>(order + i * 4)
    if (load<f32>(features + bin * 16 + axis) < cut) store<i32>(order + low++ * 4, bin)
    else store<i32>(otherOrder + high++ * 4, bin)
  }
  memory.copy(order + low * 4, otherOrder, high * 4)
  return low
}

/** Finds a box's mean and its best cut, along the axis on which it varies most. */
function examine(box: usize): void {
  const start = load<i32>(box)
  const end = load<i32>(box, 4)
  let weight: f64 = 0
  for (let i = start; i < end; i++) weight += <f64>load<f32>(weights + load<i32>(order + i * 4) * 4)
  store<f64>(box, weight, 24)
  store<f64>(box, -1, 8)
  let widest = 0
  let most: f64 = -1
  for (let axis = 0; axis < 4; axis++) {
    let sum: f64 = 0
    let squares: f64 = 0
    for (let i = start; i < end; i++) {
      const bin = load<i32>(order + i * 4)
      const value = <f64>load<f32>(features + bin * 16 + axis * 4)
      const weighted = <f64>load<f32>(weights + bin * 4) * value
      sum += weighted
      squares += weighted * value
    }
    store<f64>(box + axis * 8, sum / weight, 32)
    const variance = squares - (sum * sum) / weight
    if (variance > most) {
      most = variance
      widest = axis
    }
  }
  if (end - start < 2 || most <= 0) return
  findCut(box, widest, weight)
}

function findCut(box: usize, axis: i32, weight: f64): void {
  const start = load<i32>(box)
  const end = load<i32>(box, 4)
  let least: f32 = f32.MAX_VALUE
  let most: f32 = -f32.MAX_VALUE
  for (let i = start; i < end; i++) {
    const value = load<f32>(features + load<i32>(order + i * 4) * 16 + axis * 4)
    least = min(least, value)
    most = max(most, value)
  }
  if (most <= least) return
  const scale = <f32>63.99 / (most - least)
  memory.fill(placeWeights, 0, PLACES * 8)
  memory.fill(placeSums, 0, PLACES * 8)
  for (let i = start; i < end; i++) {
    const bin = load<i32>(order + i * 4)
    const value = load<f32>(features + bin * 16 + axis * 4)
    const place = <i32>((value - least) * scale) * 8
    const share = <f64>load<f32>(weights + bin * 4)
    store<f64>(placeWeights + place, load<f64>(placeWeights + place) + share)
    store<f64>(placeSums + place, load<f64>(placeSums + place) + share * <f64>value)
  }
  const total = load<f64>(box + axis * 8, 32) * weight
  let below: f64 = 0
  let sumBelow: f64 = 0
  for (let place = 0; place < PLACES - 1; place++) {
    below += load<f64>(placeWeights + place * 8)
    sumBelow += load<f64>(placeSums + place * 8)
    const above = weight - below
    if (below <= 0 || above <= weight * 1e-12) continue
    const apart = sumBelow / below - (total - sumBelow) / above
    const gain = ((below * above) / weight) * apart * apart
    if (gain <= load<f64>(box, 8)) continue
    store<f64>(box, gain, 8)
    store<f32>(box, least + <f32>(place + 1) / scale, 16)
    store<i32>(box, axis, 20)
  }
}
