// What the palette engine knows of one picture, and where in memory it is.

/** Colours that are told apart; beyond, or with more transparency, they are put together by their high bits. */
export const MOST_BINS: i32 = 32_768
export const MOST_OPAQUE_BINS: i32 = 16_384
export const MOST_COLOURS: i32 = 256
/** Places of the hash table, a power of two. */
export const SLOTS: i32 = 131_072

/** Kinds of pixels and entries: clear and opaque pixels only get entries of their kind, so that alpha 0 and 255 stay what they are. */
export const CLEAR: i32 = 0
export const OPAQUE: i32 = 1
export const TRANSLUCENT: i32 = 2

export let width: i32 = 0
export let height: i32 = 0
/** 3 or 4. */
export let channels: i32 = 0
export let pixels: i32 = 0

/** Interleaved bytes, row by row; per pixel its activity (u8), its bin (u16), the entry it gets (u8), and what that paints. */
export let source: usize = 0
export let activity: usize = 0
export let binOf: usize = 0
export let indices: usize = 0
export let painted: usize = 0
/** Two rows of four floats per pixel, and one pixel on either side. */
export let diffused: usize = 0

export let slotKeys: usize = 0
export let slotBins: usize = 0
/** Per bin: five f64 sums, four f32 features, f32 weight, u8 class, u8 entry, f32 squared distance to it. */
export let sums: usize = 0
export let features: usize = 0
export let weights: usize = 0
export let classes: usize = 0
export let entries: usize = 0
export let distances: usize = 0
/** The entries of bins in the largest palette. */
export let keptEntries: usize = 0
/** Per bin: how many of its pixels have neighbours like themselves, the colour that most of these have, and its votes. */
export let flatPixels: usize = 0
export let flatColours: usize = 0
export let flatVotes: usize = 0
/** Bins in an order, and room for another. */
export let order: usize = 0
export let otherOrder: usize = 0

let end: usize = 0

function reserve(size: usize): usize {
  const address = end
  end = (end + size + 63) & ~63
  return address
}

/** Lays out memory for a picture. Returns the bytes of memory needed, which must have grown to them before all else. */
export function layout(wide: i32, high: i32, step: i32): usize {
  end = (__heap_base + 63) & ~63
  width = wide
  height = high
  channels = step
  pixels = wide * high
  slotKeys = reserve(SLOTS * 4)
  slotBins = reserve(SLOTS * 2)
  sums = reserve(MOST_BINS * 40)
  features = reserve(MOST_BINS * 16)
  weights = reserve(MOST_BINS * 4)
  classes = reserve(MOST_BINS)
  entries = reserve(MOST_BINS)
  distances = reserve(MOST_BINS * 4)
  keptEntries = reserve(MOST_BINS)
  flatPixels = reserve(MOST_BINS * 4)
  flatColours = reserve(MOST_BINS * 4)
  flatVotes = reserve(MOST_BINS * 4)
  order = reserve(MOST_BINS * 4)
  otherOrder = reserve(MOST_BINS * 4)
  boxes = reserve(MOST_COLOURS * 96)
  centres = reserve(MOST_COLOURS * 64)
  diffused = reserve((<usize>wide + 2) * 32)
  source = reserve(<usize>pixels * step)
  activity = reserve(pixels)
  binOf = reserve(<usize>pixels * 2)
  indices = reserve(pixels)
  painted = reserve(<usize>pixels * step)
  return end
}

/** What the splitting and the palettes lay out themselves. */
export let boxes: usize = 0
export let centres: usize = 0
