import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'

// The guards of windows as docs/quality.md defines them, in double precision, plane by plane: what the WebAssembly
// implementation, which works row by row in floats, is tested against. Slow.

type Plane = Float64Array
type Planes = readonly [Plane, Plane, Plane]

const FLARE = 0.005

export type Defined = Record<'means' | 'colours' | 'band' | 'edges' | 'jag' | 'gone', number>

/** The largest value of each measure of any window on one grey background, at the size that the pictures have. */
export function definedWindows(original: Pixels, result: Pixels, background: number): Defined {
  const size = { width: original.width, height: original.height }
  const before = labPlanes(original, background)
  const after = labPlanes(result, background)
  const difference = before.map((plane, c) => plane.map((value, i) => at(after[c]!, i) - value)) as unknown as Planes
  const activity = extreme(gradient(before, size), size, { reach: 2, of: Math.max })
  const rough = extreme(roughness(before, size), size, { reach: 2, of: Math.max })
  const squared = difference[0].map((_, i) => lengths(difference, i) ** 2)
  const masked = gradient(difference, size).map((value, i) => value ** 2 / (1 + (at(rough, i) / 0.004) ** 2))

  const worst: Defined = {
    means: 0,
    colours: 0,
    band: 0,
    edges: 0,
    jag: 0,
    gone: definedGone(before, difference, size),
  }
  const windows = { side: 8, step: 4 }
  forWindows(size, windows, (mean) => {
    const [l, a, b] = [mean(difference[0]), mean(difference[1]), mean(difference[2])]
    worst.means = Math.max(worst.means, Math.hypot(l, a, b) / (1 + mean(activity) / 0.03))
    worst.colours = Math.max(worst.colours, Math.hypot(a, b))
    worst.band = Math.max(worst.band, Math.sqrt(mean(masked)))
    worst.edges = Math.max(worst.edges, Math.sqrt(mean(squared)))
  })
  worst.jag = definedJag(before, difference, size)
  worst.band = Math.max(worst.band, 1.95 * definedStreaks(difference[0], rough, size))
  worst.colours = Math.max(worst.colours, definedSpots(before, difference, size))
  worst.gone = Math.max(worst.gone, definedLines(before[0], difference[0], size))
  return worst
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Antialiasing that is lost. */
function definedJag(before: Planes, difference: Planes, size: Size): number {
  const span = (reach: number): Plane[] =>
    before.map((plane) => {
      const least = extreme(plane, size, { reach, of: Math.min })
      return extreme(plane, size, { reach, of: Math.max }).map((value, i) => value - at(least, i))
    })
  const [wide, near] = [span(2), span(1)]
  const lows = before.map((plane) => extreme(plane, size, { reach: 2, of: Math.min }))
  const [lost, there, errors] = [0, 1, 2].map(() => new Float64Array(size.width * size.height)) as [Plane, Plane, Plane]
  for (let i = 0; i < lost.length; i++) {
    const spans = wide.map((plane) => at(plane, i))
    const axis = spans.indexOf(Math.max(...spans))
    const contrast = Math.hypot(...spans)
    const share = (at(before[axis]!, i) - at(lows[axis]!, i)) / spans[axis]!
    const distance = Math.min(share, 1 - share)
    const edge = Math.min(1, (at(near[axis]!, i) / spans[axis]! - 0.55) / 0.25)
    if (!(contrast > 0.025 && distance > 0.1 && edge > 0)) continue
    const error = lengths(difference, i)
    lost[i] = ((edge * contrast) / (contrast + 0.06)) * Math.min(0.5, error / contrast) ** 2
    there[i] = distance ** 2
    errors[i] = edge * error ** 2
  }
  let worst = 0
  forWindows(size, { side: 16, step: 8 }, (mean, pixels) => {
    const share = Math.sqrt((mean(lost) * pixels) / (mean(there) * pixels + 2.5))
    worst = Math.max(worst, Math.cbrt(mean(errors) * share))
  })
  return worst
}

/** Bands that keep a direction: the longer axis of the gradients' tensor less the shorter one. */
function definedStreaks(error: Plane, rough: Plane, size: Size): number {
  const smooth = blurred(error, size.width, size.height)
  const [slope, cross] = [0, 1].map(() => new Float64Array(smooth.length)) as [Plane, Plane]
  smooth.forEach((value, i) => {
    const right = i % size.width < size.width - 1 ? at(smooth, i + 1) - value : 0
    const down = i + size.width < smooth.length ? at(smooth, i + size.width) - value : 0
    const weight = 1 / (1 + (at(rough, i) / 0.004) ** 2)
    slope[i] = weight * (right ** 2 - down ** 2)
    cross[i] = weight * 2 * right * down
  })
  let worst = 0
  forWindows(size, { side: 16, step: 8 }, (mean) => {
    worst = Math.max(worst, Math.sqrt(Math.hypot(mean(slope), mean(cross))))
  })
  return worst
}

/** The shift of hue and saturation, blurred, of pixels around which the original has one colour. */
function definedSpots(before: Planes, difference: Planes, size: Size): number {
  const spans = before.map((plane) => {
    const least = extreme(plane, size, { reach: 2, of: Math.min })
    return extreme(plane, size, { reach: 2, of: Math.max }).map((value, i) => value - at(least, i))
  })
  const [a, b] = [difference[1], difference[2]].map((plane) => blurred(plane, size.width, size.height)) as [
    Plane,
    Plane,
  ]
  let worst = 0
  a.forEach((_, i) => {
    const isFlat = lengths(spans as unknown as Planes, i) <= 0.025
    const shift = Math.hypot(at(a, i), at(b, i))
    if (isFlat && shift > 0.008) worst = Math.max(worst, shift)
  })
  return worst
}

/** Faint lines along rows and columns, in pieces of eight pixels, four of which are a run. */
function definedLines(before: Plane, error: Plane, { width, height }: Size): number {
  let worst = 0
  for (const [along, across, length, breadth] of [
    [1, width, width, height],
    [width, 1, height, width],
  ] as const) {
    for (let line = 2; line < breadth - 2; line++) {
      let run: (readonly [number, number])[] = []
      for (let from = 0; from + 8 <= length; from += 8) {
        const pixels = Array.from({ length: 8 }, (_, i) => line * across + (from + i) * along)
        const piece = pieceOfLine(pixels, across, before, error)
        run = piece ? [...run.slice(-3), piece] : []
        if (run.length < 4) continue
        const [squares, products] = [0, 1].map((part) => run.reduce((sum, each) => sum + each[part]!, 0)) as [
          number,
          number,
        ]
        worst = Math.max(worst, -products / squares)
      }
    }
  }
  return worst
}

/**
 * Returns the squared heights of a line above both sides, and their products with the change of height by the error.
 * Returns `undefined` if there is no line.
 */
function pieceOfLine(pixels: number[], across: number, before: Plane, error: Plane): [number, number] | undefined {
  const ground = (plane: Plane, i: number): number => (at(plane, i - 2 * across) + at(plane, i + 2 * across)) / 2
  const heights = pixels.map((i) => at(before, i) - ground(before, i))
  const isLine = pixels.every((i, n) => {
    const high = Math.abs(heights[n]!)
    const next = [i - across, i + across].map((j) => Math.abs(at(before, j) - ground(before, i)))
    const sides = Math.abs(at(before, i - 2 * across) - at(before, i + 2 * across))
    const isSeen = high >= 0.005 && high * ground(before, i) >= 0.0024
    return isSeen && high <= 0.08 && sides <= high / 2 && Math.max(...next) <= Math.SQRT2 * high
  })
  const squares = heights.reduce((sum, high) => sum + high ** 2, 0)
  const products = pixels.reduce((sum, i, n) => sum + heights[n]! * (at(error, i) - ground(error, i)), 0)
  const sum = heights.reduce((total, high) => total + high, 0)
  return isLine && products !== 0 && sum ** 2 >= 0.8 * 8 * squares ? [squares, products] : undefined
}

/** Faint structure that is wiped out. */
function definedGone(before: Planes, difference: Planes, { width, height }: Size): number {
  const size = { width: Math.floor(width / 4), height: Math.floor(height / 4) }
  if (Math.min(size.width, size.height) < 8) return 0
  const [source, error] = [before[0], difference[0]].map((plane) => {
    const means = new Float64Array(size.width * size.height).map((_, i) => {
      const [x, y] = [4 * (i % size.width), 4 * Math.floor(i / size.width)]
      let sum = 0
      for (let v = y; v < y + 4; v++) for (let u = x; u < x + 4; u++) sum += at(plane, v * width + u)
      return sum / 16
    })
    const around = blurred(means, size.width, size.height)
    return means.map((value, i) => value - at(around, i))
  }) as [Plane, Plane]
  const squares = source.map((value) => value ** 2)
  const products = source.map((value, i) => value * at(error, i))
  let worst = 0
  forWindows(size, { side: 6, step: 3 }, (mean) => {
    const deviation = Math.sqrt(mean(squares))
    if (deviation < 0.0012 || deviation > 0.02) return
    const quiet = squares.map((value) => (value < 0.04 * deviation ** 2 ? 1 : 0))
    if (Math.round(36 * mean(quiet)) < 10) return
    worst = Math.max(worst, (-mean(products) / mean(squares)) * Math.min(1, deviation / 0.0025))
  })
  return worst
}

/** Calls back with each window's way to take a mean, and its number of pixels. */
function forWindows(
  { width, height }: Size,
  { side, step }: { readonly side: number; readonly step: number },
  judge: (mean: (plane: Plane) => number, pixels: number) => void,
): void {
  const [wide, high] = [Math.min(side, width), Math.min(side, height)]
  for (const top of positions(height, side, step)) {
    for (const left of positions(width, side, step)) {
      judge((plane) => {
        let sum = 0
        for (let y = top; y < top + high; y++) for (let x = left; x < left + wide; x++) sum += at(plane, y * width + x)
        return sum / (wide * high)
      }, wide * high)
    }
  }
}

/** OKLab of a screen with flare. */
export function definedLab(sRgb: readonly number[]): [number, number, number] {
  const [r, g, b] = sRgb.map((value) => {
    const v = value / 255
    return (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4) * (1 - FLARE) + FLARE
  }) as [number, number, number]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? NaN
}

function labPlanes({ data, width, height, channels }: Pixels, background: number): Planes {
  const planes: Planes = [0, 1, 2].map(() => new Float64Array(width * height)) as unknown as Planes
  for (let i = 0; i < width * height; i++) {
    const alpha = channels === 4 ? at(data, i * 4 + 3) / 255 : 1
    const lab = definedLab([0, 1, 2].map((c) => alpha * at(data, i * channels + c) + (1 - alpha) * background))
    lab.forEach((value, c) => (planes[c]![i] = value))
  }
  return planes
}

/** The length of three planes' values at one place. */
const lengths = (planes: Planes, i: number): number => Math.hypot(at(planes[0], i), at(planes[1], i), at(planes[2], i))

/** The length of the forward differences of three planes after [1 2 1] / 4 both ways, edges repeated. */
function gradient(planes: Planes, { width, height }: Size): Plane {
  const sum = new Float64Array(width * height)
  for (const plane of planes) {
    const smooth = blurred(plane, width, height)
    smooth.forEach((value, i) => {
      const right = i % width < width - 1 ? at(smooth, i + 1) - value : 0
      const down = i + width < smooth.length ? at(smooth, i + width) - value : 0
      sum[i]! += right ** 2 + down ** 2
    })
  }
  return sum.map(Math.sqrt)
}

/** The same of second differences, which pixels have that have a neighbour on both sides. */
function roughness(planes: Planes, { width, height }: Size): Plane {
  const sum = new Float64Array(width * height)
  for (const plane of planes) {
    const smooth = blurred(plane, width, height)
    smooth.forEach((value, i) => {
      const [x, y] = [i % width, Math.floor(i / width)]
      if (x > 0 && x < width - 1) sum[i]! += (at(smooth, i - 1) - 2 * value + at(smooth, i + 1)) ** 2
      if (y > 0 && y < height - 1) sum[i]! += (at(smooth, i - width) - 2 * value + at(smooth, i + width)) ** 2
    })
  }
  return sum.map(Math.sqrt)
}

function blurred(plane: Plane, width: number, height: number): Plane {
  const along = plane.map((value, i) => {
    const x = i % width
    return (at(plane, x > 0 ? i - 1 : i) + 2 * value + at(plane, x < width - 1 ? i + 1 : i)) / 4
  })
  return along.map((value, i) => {
    const y = Math.floor(i / width)
    return (at(along, y > 0 ? i - width : i) + 2 * value + at(along, y < height - 1 ? i + width : i)) / 4
  })
}

/** The largest or the smallest value of the square of pixels around each, as far as the picture goes. */
function extreme(
  plane: Plane,
  { width, height }: Size,
  { reach, of }: { readonly reach: number; readonly of: (...values: number[]) => number },
): Plane {
  return plane.map((value, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    let found = value
    for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
      for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
        found = of(found, at(plane, v * width + u))
      }
    }
    return found
  })
}

/** Where windows begin: so many pixels apart, the last flush with the border. */
function positions(size: number, side: number, step: number): number[] {
  const last = Math.max(0, size - side)
  return [...Array.from({ length: Math.ceil(last / step) }, (_, i) => step * i), last]
}
