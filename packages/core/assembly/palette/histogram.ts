// Activity of pixels, and the histogram of their colours.

import {
  activity,
  binOf,
  channels,
  CLEAR,
  classes,
  features,
  flatColours,
  flatPixels,
  flatVotes,
  height,
  MOST_BINS,
  MOST_OPAQUE_BINS,
  OPAQUE,
  pixels,
  slotBins,
  slotKeys,
  SLOTS,
  source,
  sums,
  TRANSLUCENT,
  weights,
  width,
} from './memory'
import { onGrey, putFeatures } from './space'

/** No key of a colour: those of alpha 0 are 0. */
const FREE: u32 = 0x00ffffff

/** Bits down to which pixels inside areas of one colour have that colour's own bin. */
const LEAST_EXACT_BITS: i32 = 5

/** Bins in use, and the bits per channel that tell them apart. */
export let bins: i32 = 0
export let bits: i32 = 8
/** The weight of all pixels. */
export let totalWeight: f64 = 0

/** Weight of a pixel: where a picture is busy an error is seen less. */
@inline
function weightAt(active: u8): f32 {
  return <f32>1 / (<f32>1 + <f32>active / <f32>8) + <f32>0.02
}

/** RGBA, red lowest; 0 for all of alpha 0. */
@inline
export function colourAt(pixel: i32): u32 {
  const at = source + <usize>pixel * channels
  const alpha: u32 = channels == 4 ? load<u8>(at, 3) : 255
  if (alpha == 0) return 0
  return <u32>load<u8>(at) | (<u32>load<u8>(at, 1) << 8) | (<u32>load<u8>(at, 2) << 16) | (alpha << 24)
}

@inline
function step(one: usize, other: usize): i32 {
  return abs(<i32>load<u8>(one) - <i32>load<u8>(other))
}

/** The largest step of any channel from a pixel to one of its four neighbours, for every pixel. */
export function measureActivity(): void {
  const row = <usize>width * channels
  for (let y = 0; y < height; y++) {
    const above: isize = y > 0 ? -(<isize>row) : 0
    const below: isize = y + 1 < height ? <isize>row : 0
    for (let x = 0; x < width; x++) {
      const at = source + <usize>y * row + <usize>x * channels
      const left: isize = x > 0 ? -(<isize>channels) : 0
      const right: isize = x + 1 < width ? channels : 0
      let largest = 0
      for (let channel = 0; channel < channels; channel++) {
        const here = at + channel
        const sides = max(step(here, here + left), step(here, here + right))
        largest = max(largest, max(sides, max(step(here, here + above), step(here, here + below))))
      }
      store<u8>(activity + y * width + x, <u8>largest)
    }
  }
}

/** Puts every pixel into a bin, by as many bits as there is room for, and takes the means of the bins. */
export function countColours(): void {
  bits = 8
  while (!fillBins(channels == 4 ? MOST_BINS : MOST_OPAQUE_BINS)) bits--
  totalWeight = 0
  for (let bin = 0; bin < bins; bin++) {
    const from = sums + bin * 40
    const weight = load<f64>(from, 32)
    totalWeight += weight
    store<f32>(weights + bin * 4, <f32>weight)
    const alpha = load<f64>(from, 24) / weight
    putFeatures(
      features + bin * 16,
      <f32>(load<f64>(from) / weight),
      <f32>(load<f64>(from, 8) / weight),
      <f32>(load<f64>(from, 16) / weight),
      <f32>alpha,
    )
  }
}

/** The key of a colour by its high bits. Only alpha 0 and 255 have the keys of alpha 0 and 255. */
@inline
function keyOf(colour: u32, mask: u32): u32 {
  const alpha = colour >>> 24
  if (alpha == 0) return 0
  if (alpha == 255 || bits == 8) return colour & (mask | 0xff000000)
  return (colour & mask & 0xffffff) | (max(alpha & (mask >>> 24), 1 << (8 - bits)) << 24)
}

/** False where the colours are too many. */
function fillBins(limit: i32): bool {
  const high: u32 = (0xff << (8 - bits)) & 0xff
  const mask: u32 = high | (high << 8) | (high << 16) | (high << 24)
  for (let slot = 0; slot < SLOTS; slot++) store<u32>(slotKeys + slot * 4, FREE)
  bins = 0
  let lastKey: u32 = FREE
  let bin = 0
  for (let pixel = 0; pixel < pixels; pixel++) {
    const colour = colourAt(pixel)
    const active = load<u8>(activity + pixel)
    const key = active == 0 && bits >= LEAST_EXACT_BITS ? colour : keyOf(colour, mask)
    if (key != lastKey) {
      lastKey = key
      bin = binFor(key, limit)
      if (bin < 0) return false
    }
    store<u16>(binOf + (<usize>pixel << 1), <u16>bin)
    add(bin, colour, weightAt(active))
    if (active == 0) voteFor(bin, colour)
  }
  return true
}

@inline
function binFor(key: u32, limit: i32): i32 {
  let slot = <i32>((key * <u32>2654435761) >>> 15)
  for (;;) {
    const known = load<u32>(slotKeys + slot * 4)
    if (known == key) return load<u16>(slotBins + slot * 2)
    if (known == FREE) break
    slot = (slot + 1) & (SLOTS - 1)
  }
  if (bins == limit) return -1
  store<u32>(slotKeys + slot * 4, key)
  store<u16>(slotBins + slot * 2, <u16>bins)
  memory.fill(sums + bins * 40, 0, 40)
  store<u32>(flatPixels + bins * 4, 0)
  store<i32>(flatVotes + bins * 4, 0)
  const alpha = key >>> 24
  store<u8>(classes + bins, <u8>(alpha == 0 ? CLEAR : alpha == 255 ? OPAQUE : TRANSLUCENT))
  return bins++
}

@inline
function add(bin: i32, colour: u32, weight: f32): void {
  const to = sums + bin * 40
  const alpha = <f32>(colour >>> 24)
  store<f64>(to, load<f64>(to) + <f64>(weight * onGrey(<f32>(colour & 255), alpha)))
  store<f64>(to, load<f64>(to, 8) + <f64>(weight * onGrey(<f32>((colour >>> 8) & 255), alpha)), 8)
  store<f64>(to, load<f64>(to, 16) + <f64>(weight * onGrey(<f32>((colour >>> 16) & 255), alpha)), 16)
  store<f64>(to, load<f64>(to, 24) + <f64>(weight * alpha), 24)
  store<f64>(to, load<f64>(to, 32) + <f64>weight, 32)
}

/** Boyer and Moore's majority: the colour that most of a bin's flat pixels have, where one has most. */
@inline
function voteFor(bin: i32, colour: u32): void {
  const at = bin * 4
  store<u32>(flatPixels + at, load<u32>(flatPixels + at) + 1)
  const votes = load<i32>(flatVotes + at)
  if (votes == 0) {
    store<u32>(flatColours + at, colour)
    store<i32>(flatVotes + at, 1)
  } else {
    store<i32>(flatVotes + at, load<u32>(flatColours + at) == colour ? votes + 1 : votes - 1)
  }
}
