// Palettes of one picture: few colours that are seen as all of its. What each step does is in palette/.
//
// Calls: layout → grow the memory → write the pixels → train, once → as often as wanted: choose, map or dither, paint.
// Plain arithmetic of one order, so that every machine makes the same palettes.

import { boostFarBins, colours, finish, kMeans } from './palette/entries'
import { countColours, measureActivity, totalWeight } from './palette/histogram'
import { emphasise } from './palette/emphasise'
import { indices, layout, MOST_COLOURS, painted, source } from './palette/memory'
import { errorsAddress, keepEntries, mergeAll, mergeTo } from './palette/merge'
import { mapDithered, mapPixels, orderByUse, paint, paletteAddress } from './palette/map'
import { split } from './palette/split'

export { emphasise, errorsAddress, layout, paint, paletteAddress }
export {
  countsAddress,
  countValues,
  endVotes,
  opaqueAddress,
  startEntries,
  totalsAddress,
  valuesAddress,
  voteForValues,
} from './snap'

const ROUNDS: i32 = 6
/** Squared distance from an entry beyond which bins weigh more, how much more, and how often that is done at most. */
const FAR: f32 = 120
const BOOST: f32 = 4
const BOOSTS: i32 = 3
/** Rounds for a palette that was merged. */
const MERGED_ROUNDS: i32 = 2

export function sourceAddress(): usize {
  return source
}

export function indicesAddress(): usize {
  return indices
}

export function paintedAddress(): usize {
  return painted
}

/** Mean squared error per pixel, weighted, that the largest palette makes. */
let largestError: f64 = 0

/** Makes the largest palette. Returns its number of colours. */
export function train(): i32 {
  measureActivity()
  countColours()
  return trainAgain()
}

/** Makes the largest palette by what bins weigh now. Returns its number of colours. */
export function trainAgain(): i32 {
  split(MOST_COLOURS)
  largestError = kMeans(ROUNDS, false)
  for (let i = 0; i < BOOSTS && boostFarBins(FAR, BOOST) > 0; i++) kMeans(2, true)
  keepEntries()
  const largest = colours
  mergeAll()
  return largest
}

export function errorOfLargest(): f64 {
  return largestError
}

export function weight(): f64 {
  return totalWeight
}

/** Makes the palette of at most so many colours: fewer where there are fewer kinds, or some become equal. */
export function choose(wanted: i32): void {
  mergeTo(wanted)
  kMeans(MERGED_ROUNDS, true)
  finish()
}

/** Gives every pixel an entry. Returns how many entries are in use. */
export function map(strength: f32, tolerance: f32): i32 {
  if (strength > 0) mapDithered(strength)
  else mapPixels(tolerance)
  orderByUse()
  return colours
}
