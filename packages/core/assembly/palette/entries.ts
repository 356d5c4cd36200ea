// The entries of a palette, the nearest of them, and k-means.

import { bins } from './histogram'
import { centres, distances, classes, entries, features, MOST_COLOURS, TRANSLUCENT, weights } from './memory'
import { colourOf, distance, onGrey, putFeatures } from './space'
import { OPAQUE } from './memory'

/** Entries in use. */
export let colours: i32 = 0

/** One entry: four f32 features, f64 weight, u32 colour if it is fixed or finished, u8 class, u8 fixed. */
const ENTRY: usize = 32

export const ENTRY_BYTES: i32 = 32

/** Of the entries in the order of class and luma: features, then numbers; and where each class begins. */
const sorted: usize = memory.data(MOST_COLOURS * 16, 16)
const sortedEntries: usize = memory.data(MOST_COLOURS, 16)
const firstOf: usize = memory.data(16, 16)
/** A quarter of the squared distance to the nearest other entry. */
const nearby: usize = memory.data(MOST_COLOURS * 4, 16)
const means: usize = memory.data(MOST_COLOURS * 40, 16)
/** Where each entry is in the order of class and luma; and what `finish` makes of it. */
const placeOf: usize = memory.data(MOST_COLOURS, 16)
const finished: usize = memory.data(MOST_COLOURS, 16)

@inline
export function entryAt(index: i32): usize {
  return centres + <usize>index * ENTRY
}

export function setColours(count: i32): void {
  colours = count
}

@inline
export function weightOf(entry: usize): f64 {
  return load<f64>(entry, 16)
}

@inline
export function setWeight(entry: usize, weight: f64): void {
  store<f64>(entry, weight, 16)
}

/** RGBA of an entry that is fixed, and of all once they are finished. */
@inline
export function colourOfEntry(entry: usize): u32 {
  return load<u32>(entry, 24)
}

@inline
export function classOf(entry: usize): i32 {
  return load<u8>(entry, 28)
}

@inline
export function isFixed(entry: usize): bool {
  return load<u8>(entry, 29) != 0
}

/** An entry that is exactly one colour. */
export function setExact(entry: usize, colour: u32, group: i32, fixed: bool): void {
  const alpha = <f32>(colour >>> 24)
  putFeatures(
    entry,
    onGrey(<f32>(colour & 255), alpha),
    onGrey(<f32>((colour >>> 8) & 255), alpha),
    onGrey(<f32>((colour >>> 16) & 255), alpha),
    alpha,
  )
  store<u32>(entry, colour, 24)
  store<u8>(entry, <u8>group, 28)
  store<u8>(entry, fixed ? 1 : 0, 29)
}

/** Puts the entries in the order in which `nearest` looks for them. */
export function sortEntries(): void {
  for (let i = 0; i < colours; i++) {
    const entry = entryAt(i)
    const group = classOf(entry)
    const light = load<f32>(entry)
    let to = i
    for (; to > 0; to--) {
      const before = entryAt(load<u8>(sortedEntries + to - 1))
      const itsClass = classOf(before)
      if (itsClass < group || (itsClass == group && load<f32>(before) <= light)) break
      store<u8>(sortedEntries + to, load<u8>(sortedEntries + to - 1))
    }
    store<u8>(sortedEntries + to, <u8>i)
  }
  for (let group = 0; group <= TRANSLUCENT + 1; group++) store<i32>(firstOf + group * 4, colours)
  for (let at = colours - 1; at >= 0; at--) {
    const entry = entryAt(load<u8>(sortedEntries + at))
    memory.copy(sorted + at * 16, entry, 16)
    store<u8>(placeOf + load<u8>(sortedEntries + at), <u8>at)
    for (let group = classOf(entry); group >= 0; group--) store<i32>(firstOf + group * 4, at)
  }
}

/** The squared distance that `nearest` found. */
export let nearestDistance: f32 = 0

/**
 * The entry that is nearest to a colour of a class, at most `nearestDistance` away. Opaque and clear pixels only have entries
 * of their class; what is nearly opaque or nearly clear may have those of all.
 */
export function nearest(colour: usize, group: i32): i32 {
  nearestDistance = f32.MAX_VALUE
  nearestPlace = 0
  return nearer(colour, group)
}

/** The same for a colour of which an entry is known that it may have, at a distance: only nearer ones are looked for. */
@inline
function nearestBut(colour: usize, group: i32, known: i32, far: f32): i32 {
  nearestDistance = far
  nearestPlace = load<u8>(placeOf + known)
  return nearer(colour, group)
}

/**
 * The entry that is nearest to a colour of a class, by way of one that is likely to be: where it is near enough, no other is looked at.
 * Only after `assign` has been told that bins have their entries.
 */
export function nearestFrom(likely: i32, colour: usize, group: i32): i32 {
  const entry = entryAt(likely)
  if (group != TRANSLUCENT && classOf(entry) != group) return nearest(colour, group)
  nearestDistance = distance(colour, entry)
  if (nearestDistance <= load<f32>(nearby + <usize>likely * 4)) return likely
  return nearestBut(colour, group, likely, nearestDistance)
}

function nearer(colour: usize, group: i32): i32 {
  if (group == TRANSLUCENT) for (let other = 0; other < TRANSLUCENT; other++) lookAmong(colour, other)
  lookAmong(colour, group)
  return load<u8>(sortedEntries + nearestPlace)
}

let nearestPlace: i32 = 0

/** The first place of a class whose luma is not below this one. */
function placeOfLuma(light: f32, group: i32): i32 {
  let low = load<i32>(firstOf + group * 4)
  let high = load<i32>(firstOf + group * 4 + 4)
  while (low < high) {
    const middle = (low + high) >> 1
    if (load<f32>(sorted + middle * 16) < light) low = middle + 1
    else high = middle
  }
  return low
}

/** Looks outwards from the colour's luma, until luma alone is too far. */
function lookAmong(colour: usize, group: i32): void {
  const first = load<i32>(firstOf + group * 4)
  const last = load<i32>(firstOf + group * 4 + 4)
  const light = load<f32>(colour)
  const low = placeOfLuma(light, group)
  let down = low - 1
  let up = low
  let best = nearestDistance
  let found = nearestPlace
  while (down >= first || up < last) {
    if (up < last) {
      const at = sorted + up * 16
      const along = load<f32>(at) - light
      if (along * along >= best) {
        up = last
      } else {
        const far = distance(at, colour)
        if (far < best) {
          best = far
          found = up
        }
        up++
      }
    }
    if (down >= first) {
      const at = sorted + down * 16
      const along = light - load<f32>(at)
      if (along * along >= best) {
        down = first - 1
      } else {
        const far = distance(at, colour)
        if (far < best) {
          best = far
          found = down
        }
        down--
      }
    }
  }
  nearestDistance = best
  nearestPlace = found
}

function measureNearby(): void {
  for (let i = 0; i < colours; i++) {
    let least: f32 = f32.MAX_VALUE
    for (let group = 0; group <= TRANSLUCENT; group++) least = leastAmong(load<u8>(placeOf + i), group, least)
    store<f32>(nearby + i * 4, least * <f32>0.25)
  }
}

/** The least squared distance of the entry at a place to others of a class, at most `least`, as `lookAmong` finds it. */
function leastAmong(place: i32, group: i32, least: f32): f32 {
  const first = load<i32>(firstOf + group * 4)
  const last = load<i32>(firstOf + group * 4 + 4)
  const entry = sorted + place * 16
  const light = load<f32>(entry)
  const isOwn = place >= first && place < last
  const from = isOwn ? place : placeOfLuma(light, group)
  for (let up = isOwn ? from + 1 : from; up < last; up++) {
    const along = load<f32>(sorted + up * 16) - light
    if (along * along >= least) break
    least = min(least, distance(sorted + up * 16, entry))
  }
  for (let down = from - 1; down >= first; down--) {
    const along = light - load<f32>(sorted + down * 16)
    if (along * along >= least) break
    least = min(least, distance(sorted + down * 16, entry))
  }
  return least
}

/**
 * Gives every bin its nearest entry. Returns the weighted sum of the squared distances.
 * @param known whether bins have an entry already: where it is near enough, no other is nearer, and others need not be looked at farther
 */
export function assign(known: bool): f64 {
  sortEntries()
  if (known) measureNearby()
  let error: f64 = 0
  for (let bin = 0; bin < bins; bin++) {
    const colour = features + bin * 16
    const group = <i32>load<u8>(classes + bin)
    const entry = <i32>load<u8>(entries + bin)
    let far: f32 = 0
    // An entry that no colour of its class had may have become another.
    if (known && (group == TRANSLUCENT || classOf(entryAt(entry)) == group)) {
      far = distance(colour, entryAt(entry))
      if (far > load<f32>(nearby + <usize>entry * 4)) {
        store<u8>(entries + bin, <u8>nearestBut(colour, group, entry, far))
        far = nearestDistance
      }
    } else {
      store<u8>(entries + bin, <u8>nearest(colour, group))
      far = nearestDistance
    }
    store<f32>(distances + bin * 4, far)
    error += <f64>far * <f64>load<f32>(weights + bin * 4)
  }
  return error
}

/** Moves every entry that is not fixed to the mean of its class's bins; one without any becomes the colour that is worst off. */
function moveToMeans(): void {
  memory.fill(means, 0, colours * 40)
  for (let bin = 0; bin < bins; bin++) {
    const entry = <usize>load<u8>(entries + bin)
    if (classOf(entryAt(<i32>entry)) != load<u8>(classes + bin)) continue
    const to = means + entry * 40
    const weight = <f64>load<f32>(weights + bin * 4)
    const from = features + bin * 16
    store<f64>(to, load<f64>(to) + weight * <f64>load<f32>(from))
    store<f64>(to, load<f64>(to, 8) + weight * <f64>load<f32>(from, 4), 8)
    store<f64>(to, load<f64>(to, 16) + weight * <f64>load<f32>(from, 8), 16)
    store<f64>(to, load<f64>(to, 24) + weight * <f64>load<f32>(from, 12), 24)
    store<f64>(to, load<f64>(to, 32) + weight, 32)
  }
  for (let i = 0; i < colours; i++) {
    const entry = entryAt(i)
    const from = means + i * 40
    const weight = load<f64>(from, 32)
    if (weight > 0) {
      setWeight(entry, weight)
      if (isFixed(entry)) continue
      store<f32>(entry, <f32>(load<f64>(from) / weight))
      store<f32>(entry, <f32>(load<f64>(from, 8) / weight), 4)
      store<f32>(entry, <f32>(load<f64>(from, 16) / weight), 8)
      store<f32>(entry, <f32>(load<f64>(from, 24) / weight), 12)
    } else if (!isFixed(entry)) {
      takeWorst(entry)
    }
  }
}

function takeWorst(entry: usize): void {
  let worst = 0
  let most: f32 = -1
  for (let bin = 0; bin < bins; bin++) {
    const error = load<f32>(distances + bin * 4) * load<f32>(weights + bin * 4)
    if (error > most) {
      most = error
      worst = bin
    }
  }
  memory.copy(entry, features + worst * 16, 16)
  setWeight(entry, load<f32>(weights + worst * 4))
  store<u8>(entry, load<u8>(classes + worst), 28)
  store<f32>(distances + worst * 4, 0)
}

/**
 * At most `rounds` of k-means, fewer where one gains less than a five-hundredth. Returns the weighted squared error.
 * @param known as of `assign`
 */
export function kMeans(rounds: i32, known: bool): f64 {
  let before: f64 = f64.MAX_VALUE
  let error: f64 = 0
  for (let round = 0; round < rounds; round++) {
    error = assign(known || round > 0)
    moveToMeans()
    if (before - error < error * 0.002) break
    before = error
  }
  return error
}

/** Bins that lie far from their entry weigh more from here on: rare colours, that a mean over the picture forgets. */
export function boostFarBins(far: f32, factor: f32): i32 {
  assign(true)
  let found = 0
  for (let bin = 0; bin < bins; bin++) {
    if (load<f32>(distances + bin * 4) <= far) continue
    store<f32>(weights + bin * 4, load<f32>(weights + bin * 4) * factor)
    found++
  }
  return found
}

/** Rounds the entries to bytes, and lets go of those that are equal: bins get the one that is left. */
export function finish(): void {
  let kept = 0
  for (let i = 0; i < colours; i++) {
    const entry = entryAt(i)
    const group = classOf(entry)
    const fixed = isFixed(entry)
    const colour = fixed ? colourOfEntry(entry) : colourOf(entry, group == OPAQUE)
    const weight = weightOf(entry)
    let same = 0
    while (same < kept && colourOfEntry(entryAt(same)) != colour) same++
    store<u8>(finished + i, <u8>same)
    if (same < kept) continue
    const to = entryAt(kept++)
    setExact(to, colour, group, fixed)
    setWeight(to, weight)
  }
  colours = kept
  for (let bin = 0; bin < bins; bin++) store<u8>(entries + bin, load<u8>(finished + load<u8>(entries + bin)))
  sortEntries()
}
