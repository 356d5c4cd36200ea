// Near-lossless truecolour: pixels whose differences from what PNG's filter Average predicts are few values, so that deflate
// makes them small. As in JPEG-LS's near-lossless mode the prediction is made from pixels already written; part of what
// a pixel is off goes to its neighbours that are still to come.
//
// Calls: layout → grow the memory → write the pixels → measureActivity, once → as often as wanted: set the steps, write.
// Integer arithmetic but for the tables, so that every machine writes the same pixels.

/** Classes of pixels by activity, in half levels: 0 where a pixel and those around are one colour, 16 from 8 levels on. */
export const CLASSES: i32 = 17
const BUSIEST: i32 = CLASSES - 1

/** Parts of a level in which values that are wanted are counted. */
const PARTS: i32 = 16
const MOST_WANTED: i32 = 255 * PARTS
/** Differences between two values that can be wanted. */
const DIFFERENCES: i32 = 2 * MOST_WANTED + 1

/** The most of an error that is passed on, in parts of a level: more would show as a dot. */
const MOST_DIFFUSED: i32 = 24 * PARTS

/** Half of an error is passed on, in Floyd and Steinberg's shares of it: 7, 3, 5 and 1 of 32. */
const SHARE_BITS: i32 = 5
const ROUNDING: i32 = 1 << (SHARE_BITS - 1)

/** How far rounding is moved towards no difference, as a share of a step: up to 0.2 where the picture is busy. */
const MOST_DEAD: f32 = 0.2
const DEAD_PER_CLASS: f32 = 1.0 / 80

let width: i32 = 0
let height: i32 = 0
/** 1 (grey), 2 (grey and alpha), 3 or 4. */
let channels: i32 = 0
/** Of these, all but alpha. */
let colours: i32 = 0

let source: usize = 0
let written: usize = 0
/** A byte per pixel: its class. */
let classes: usize = 0
/** One step per class, in levels: f32. */
let steps: usize = 0
/** Per class, what is written for each difference: i16. */
let levels: usize = 0
/** Two rows of i32 with one more on either side: errors passed on, in parts of a level. */
let errors: usize = 0
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
  colours = (step & 1) == 0 ? step - 1 : step
  const pixels = <usize>wide * high
  steps = reserve(CLASSES * 4)
  levels = reserve(<usize>CLASSES * DIFFERENCES * 2)
  errors = reserve((<usize>wide + 2) * 4 * 2 * colours)
  source = reserve(pixels * step)
  written = reserve(pixels * step)
  classes = reserve(pixels)
  return end
}

export function sourceAddress(): usize {
  return source
}

export function writtenAddress(): usize {
  return written
}

export function classesAddress(): usize {
  return classes
}

export function stepsAddress(): usize {
  return steps
}

@inline
function isClear(at: usize): bool {
  return colours < channels && load<u8>(at + colours) == 0
}

@inline
function difference(one: usize, other: usize): i32 {
  return abs(<i32>load<u8>(one) - <i32>load<u8>(other))
}

/** Luma's steps to the pixels on the left and above, in eighths of a level, at most 255. Clear pixels are like any other. */
function slope(x: i32, y: i32): i32 {
  const at = source + <usize>(y * width + x) * channels
  if (isClear(at)) return 0
  let sum = 0
  if (x > 0 && !isClear(at - channels)) sum += lumaStep(at, at - channels)
  const above = at - <usize>width * channels
  if (y > 0 && !isClear(above)) sum += lumaStep(at, above)
  return min(255, (sum + 31) >> 5)
}

@inline
function lumaStep(one: usize, other: usize): i32 {
  if (colours == 1) return difference(one, other) << 8
  return difference(one, other) * 77 + difference(one + 1, other + 1) * 150 + difference(one + 2, other + 2) * 29
}

/** Gives every pixel its class: the mean slope of nine pixels in the 5 × 5 around it. */
export function measureActivity(): void {
  // What is to be written is not needed yet.
  const slopes = written
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) store<u8>(slopes + y * width + x, <u8>slope(x, y))
  }
  for (let y = 0; y < height; y++) {
    const above = slopes + max(0, y - 2) * width
    const here = slopes + y * width
    const below = slopes + min(height - 1, y + 2) * width
    for (let x = 0; x < width; x++) {
      const left = max(0, x - 2)
      const right = min(width - 1, x + 2)
      const sum =
        <i32>load<u8>(above + left) + load<u8>(above + x) + load<u8>(above + right) +
        load<u8>(here + left) + load<u8>(here + x) + load<u8>(here + right) +
        load<u8>(below + left) + load<u8>(below + x) + load<u8>(below + right) // prettier-ignore
      // Nine of eight parts of a level each; halves of a level, and one for what is not even.
      store<u8>(classes + y * width + x, sum == 0 ? 0 : <u8>min(BUSIEST, max(1, sum / 36)))
    }
  }
}

@inline
function stepOf(group: i32): f32 {
  return load<f32>(steps + (group << 2))
}

/** The multiple of a class's step, in whole levels. */
@inline
function multiple(count: f32, step: f32): i32 {
  return <i32>floor<f32>(count * step + 0.5)
}

function fillLevels(): void {
  for (let group = 0; group < CLASSES; group++) {
    const step = stepOf(group)
    const towards: f32 = <f32>0.5 - min<f32>(MOST_DEAD, <f32>group * DEAD_PER_CLASS)
    const centre = levels + (<usize>group * DIFFERENCES + MOST_WANTED) * 2
    for (let parts = 0; parts <= MOST_WANTED; parts++) {
      const value = multiple(floor<f32>(<f32>parts / <f32>PARTS / step + towards), step)
      store<i16>(centre + (parts << 1), <i16>value)
      store<i16>(centre - (parts << 1), <i16>-value)
    }
  }
}

/** One step less, for where the next value is none of a byte. */
function oneLess(value: i32, group: i32): i32 {
  const step = stepOf(group)
  const smaller = multiple(floor<f32>(<f32>abs(value) / step + 0.5) - 1, step)
  return value < 0 ? -smaller : smaller
}

/** Writes all pixels with the steps that are set. Pixels of class 0 stay what they are; clear ones become what is predicted. */
export function write(): void {
  fillLevels()
  memory.fill(errors, 0, (<usize>width + 2) * 8 * colours)
  for (let y = 0; y < height; y++) {
    for (let channel = 0; channel < colours; channel++) writeRow(y, channel)
    if (colours == channels) continue
    const from = <usize>y * width * channels + colours
    for (let x = 0; x < width; x++) {
      store<u8>(written + from + x * channels, load<u8>(source + from + x * channels))
    }
  }
}

function writeRow(y: i32, channel: i32): void {
  const errorBytes = (<usize>width + 2) * 4
  const ofChannel = errors + <usize>channel * 2 * errorBytes + 4
  let arriving = ofChannel + <usize>(y & 1) * errorBytes
  let leaving = ofChannel + <usize>(~y & 1) * errorBytes
  const start = <usize>y * width * channels + channel
  let from = source + start
  let to = written + start
  let above = to - <usize>width * channels
  let ofPixel = classes + y * width
  const alphaAt = colours - channel
  const hasAlpha = colours < channels
  let left = 0
  let carried = 0
  let belowLeft = 0
  let below = 0
  for (let x = 0; x < width; x++) {
    const group = <i32>load<u8>(ofPixel)
    const predicted = (left + (y > 0 ? <i32>load<u8>(above) : 0)) >> 1
    let value = predicted
    let error = 0
    if (hasAlpha && load<u8>(from + alphaAt) == 0) {
      // What is not seen takes no bytes.
    } else if (group == 0) {
      value = load<u8>(from)
    } else {
      const wanted = min(MOST_WANTED, max(0, <i32>load<u8>(from) * PARTS + load<i32>(arriving) + carried))
      const at = group * DIFFERENCES + MOST_WANTED + wanted - predicted * PARTS
      const change = <i32>load<i16>(levels + (at << 1))
      value += change
      if (<u32>value > 255) value = min(255, max(0, predicted + oneLess(change, group)))
      error = min(MOST_DIFFUSED, max(-MOST_DIFFUSED, wanted - value * PARTS))
    }
    store<u8>(to, <u8>value)
    carried = (error * 7 + ROUNDING) >> SHARE_BITS
    store<i32>(leaving - 4, belowLeft + ((error * 3 + ROUNDING) >> SHARE_BITS))
    belowLeft = below + ((error * 5 + ROUNDING) >> SHARE_BITS)
    below = (error + ROUNDING) >> SHARE_BITS
    left = value
    from += channels
    to += channels
    above += channels
    ofPixel++
    arriving += 4
    leaving += 4
  }
  store<i32>(leaving - 4, belowLeft)
}
