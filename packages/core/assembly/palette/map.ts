// Which entry each pixel gets, and what that paints.

import { bits, colourAt } from './histogram'
import {
  activity,
  binOf,
  channels,
  classes,
  CLEAR,
  diffused,
  distances,
  entries,
  features,
  height,
  indices,
  MOST_COLOURS,
  OPAQUE,
  painted,
  pixels,
  TRANSLUCENT,
  width,
} from './memory'
import {
  assign,
  classOf,
  colourOfEntry,
  colours,
  entryAt,
  ENTRY_BYTES,
  isFixed,
  nearestDistance,
  nearestFrom,
  setColours,
  sortEntries,
} from './entries'
import { distance, onGrey, putFeatures } from './space'

/** Features of the pixel at hand. */
const seen: usize = memory.data(16, 16)
const wantedColour: usize = memory.data(16, 16)
/** Colours of entries on mid-grey, and their alphas: four floats each. */
const shown: usize = memory.data(MOST_COLOURS * 16, 16)
const counts: usize = memory.data(MOST_COLOURS * 4, 16)
const popular: usize = memory.data(MOST_COLOURS, 16)
const places: usize = memory.data(MOST_COLOURS, 16)
const reordered: usize = memory.data(MOST_COLOURS * 32, 16)
const palette: usize = memory.data(MOST_COLOURS * 4, 16)

/** The most of an error that is passed on to a pixel, in levels: more would show as a dot. */
const MOST_DIFFUSED: f32 = 24

/** Activity below which borders between colours are seen as steps, so that they stay where they are best: a quarter of the tolerance. */
const SMOOTH: u8 = 4

export function paletteAddress(): usize {
  return palette
}

@inline
function classOfColour(colour: u32): i32 {
  const alpha = colour >>> 24
  return alpha == 0 ? CLEAR : alpha == 255 ? OPAQUE : TRANSLUCENT
}

@inline
function putColour(to: usize, colour: u32): void {
  const alpha = <f32>(colour >>> 24)
  store<f32>(to, onGrey(<f32>(colour & 255), alpha))
  store<f32>(to, onGrey(<f32>((colour >>> 8) & 255), alpha), 4)
  store<f32>(to, onGrey(<f32>((colour >>> 16) & 255), alpha), 8)
  store<f32>(to, alpha, 12)
}

/** Whether an entry that a pixel of a class may have is within a distance of the colour at hand. */
@inline
function isNear(index: u8, group: i32, colour: usize, limit: f32): bool {
  const entry = entryAt(index)
  return (classOf(entry) == group || group == TRANSLUCENT) && distance(entry, colour) <= limit
}

/**
 * Every pixel its nearest entry; or, with a tolerance (a squared distance, more where the picture is busy), what the pixel
 * above has, the pixel left of it, or what followed where the same was met before: repetition takes fewer bytes.
 */
export function mapPixels(tolerance: f32): void {
  assign(true)
  const isExact = bits == 8
  let last: u32 = 0x00ffffff
  let best: u8 = 0
  let far: f32 = 0
  let group = 0
  let colour: usize = 0
  let back = 0
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (isExact) {
      const bin = <usize>load<u16>(binOf + (<usize>pixel << 1))
      best = load<u8>(entries + bin)
      far = load<f32>(distances + bin * 4)
      group = load<u8>(classes + bin)
      colour = features + bin * 16
    } else {
      const value = colourAt(pixel)
      if (value != last) {
        last = value
        group = classOfColour(value)
        putColour(wantedColour, value)
        putFeatures(
          seen,
          load<f32>(wantedColour),
          load<f32>(wantedColour, 4),
          load<f32>(wantedColour, 8),
          load<f32>(wantedColour, 12),
        )
        best = <u8>nearestFrom(load<u8>(entries + <usize>load<u16>(binOf + (<usize>pixel << 1))), seen, group)
        far = nearestDistance
      }
      colour = seen
    }
    const to = indices + pixel
    const active = load<u8>(activity + pixel)
    if (tolerance > 0 && (active > 0 || !isFixed(entryAt(best)))) {
      const limit = far + tolerance * (active < SMOOTH ? <f32>0.25 : <f32>1 + <f32>active / <f32>8)
      const again = back > 0 && pixel >= back ? load<u8>(to - back) : best
      if (back > 0 && pixel >= back && (again == best || isNear(again, group, colour, limit))) {
        store<u8>(to, again)
        continue
      }
      const above = pixel >= width ? load<u8>(to - width) : best
      const before = pixel > 0 ? load<u8>(to - 1) : best
      if (pixel >= width && (above == best || isNear(above, group, colour, limit))) {
        back = width
        store<u8>(to, above)
        continue
      }
      if (pixel > 0 && (before == best || isNear(before, group, colour, limit))) {
        back = 1
        store<u8>(to, before)
        continue
      }
      back = 0
    }
    store<u8>(to, best)
  }
}

@inline
function limited(value: f32, most: f32): f32 {
  return value < -most ? -most : value > most ? most : value
}

@inline
function inRange(value: f32): f32 {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

@inline
function pass(to: usize, red: f32, green: f32, blue: f32, alpha: f32, share: f32): void {
  store<f32>(to, load<f32>(to) + red * share)
  store<f32>(to, load<f32>(to, 4) + green * share, 4)
  store<f32>(to, load<f32>(to, 8) + blue * share, 8)
  store<f32>(to, load<f32>(to, 12) + alpha * share, 12)
}

/**
 * Floyd and Steinberg's error diffusion in alternating directions, of which busy parts get less. Flat areas whose colour is
 * an entry keep it.
 */
export function mapDithered(strength: f32): void {
  for (let i = 0; i < colours; i++) putColour(shown + i * 16, colourOfEntry(entryAt(i)))
  assign(true)
  const rowBytes = (<usize>width + 2) * 16
  let current = diffused
  let next = diffused + rowBytes
  memory.fill(diffused, 0, 2 * rowBytes)
  for (let y = 0; y < height; y++) {
    const isForward = (y & 1) == 0
    const ahead: isize = isForward ? 16 : -16
    for (let n = 0; n < width; n++) {
      const x = isForward ? n : width - 1 - n
      const pixel = y * width + x
      const colour = colourAt(pixel)
      const group = classOfColour(colour)
      const bin = <usize>load<u16>(binOf + (<usize>pixel << 1))
      const flat = load<u8>(entries + bin)
      const active = load<u8>(activity + pixel)
      if (group == CLEAR || (active == 0 && colourOfEntry(entryAt(flat)) == colour && isFixed(entryAt(flat)))) {
        store<u8>(indices + pixel, flat)
        continue
      }
      putColour(wantedColour, colour)
      const error = current + (<usize>x + 1) * 16
      const red = inRange(load<f32>(wantedColour) + limited(load<f32>(error), MOST_DIFFUSED))
      const green = inRange(load<f32>(wantedColour, 4) + limited(load<f32>(error, 4), MOST_DIFFUSED))
      const blue = inRange(load<f32>(wantedColour, 8) + limited(load<f32>(error, 8), MOST_DIFFUSED))
      const opacity = load<f32>(wantedColour, 12)
      const alpha = group == OPAQUE ? opacity : inRange(opacity + limited(load<f32>(error, 12), MOST_DIFFUSED))
      putFeatures(seen, red, green, blue, alpha)
      const best = nearestFrom(flat, seen, group)
      store<u8>(indices + pixel, <u8>best)
      const paints = shown + <usize>best * 16
      const share = strength / (<f32>1 + <f32>max(0, <i32>active - 6) / <f32>24) / <f32>16
      const lostRed = (red - load<f32>(paints)) * share
      const lostGreen = (green - load<f32>(paints, 4)) * share
      const lostBlue = (blue - load<f32>(paints, 8)) * share
      const lostAlpha = (alpha - load<f32>(paints, 12)) * share
      const below = next + (<usize>x + 1) * 16
      pass(error + ahead, lostRed, lostGreen, lostBlue, lostAlpha, 7)
      pass(below - ahead, lostRed, lostGreen, lostBlue, lostAlpha, 3)
      pass(below, lostRed, lostGreen, lostBlue, lostAlpha, 5)
      pass(below + ahead, lostRed, lostGreen, lostBlue, lostAlpha, 1)
    }
    const done = current
    current = next
    next = done
    memory.fill(next, 0, rowBytes)
  }
}

/** Lets go of entries that no pixel has, and puts the frequent ones first. */
export function orderByUse(): void {
  memory.fill(counts, 0, MOST_COLOURS * 4)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = counts + <usize>load<u8>(indices + pixel) * 4
    store<u32>(at, load<u32>(at) + 1)
  }
  let used = 0
  for (let i = 0; i < colours; i++) {
    const count = load<u32>(counts + i * 4)
    if (count == 0) continue
    let to = used++
    for (; to > 0 && load<u32>(counts + <usize>load<u8>(popular + to - 1) * 4) < count; to--) {
      store<u8>(popular + to, load<u8>(popular + to - 1))
    }
    store<u8>(popular + to, <u8>i)
  }
  for (let i = 0; i < used; i++) {
    const from = load<u8>(popular + i)
    store<u8>(places + from, <u8>i)
    memory.copy(reordered + i * ENTRY_BYTES, entryAt(from), ENTRY_BYTES)
  }
  memory.copy(entryAt(0), reordered, used * ENTRY_BYTES)
  for (let pixel = 0; pixel < pixels; pixel++) {
    store<u8>(indices + pixel, load<u8>(places + load<u8>(indices + pixel)))
  }
  for (let i = 0; i < used; i++) store<u32>(palette + i * 4, colourOfEntry(entryAt(i)))
  setColours(used)
  sortEntries()
}

/** The pixels that the indices and the palette, which may have been repaired, stand for. */
export function paint(): void {
  let to = painted
  for (let pixel = 0; pixel < pixels; pixel++) {
    const colour = load<u32>(palette + <usize>load<u8>(indices + pixel) * 4)
    if (channels == 4) {
      store<u32>(to, colour)
    } else {
      store<u8>(to, <u8>colour)
      store<u8>(to, <u8>(colour >>> 8), 1)
      store<u8>(to, <u8>(colour >>> 16), 2)
    }
    to += channels
  }
}
