import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'

// The guards of windows as docs/quality.md defines them, in double precision, plane by plane: what the WebAssembly
// implementation, which works row by row in floats, is tested against. Slow.

type Plane = Float64Array
type Planes = readonly [Plane, Plane, Plane]

const FLARE = 0.005

/** The largest means, colours, steps and edges of any window on one grey background, at the size that the pictures have. */
export function definedWindows(
  original: Pixels,
  result: Pixels,
  background: number,
): { means: number; colours: number; steps: number; edges: number } {
  const { width, height } = original
  const before = labPlanes(original, background)
  const after = labPlanes(result, background)
  const difference = before.map((plane, c) => plane.map((value, i) => at(after[c]!, i) - value)) as unknown as Planes
  const activity = dilated(gradient(before, width, height), width, height)
  const squared = difference[0].map((value, i) => value ** 2 + at(difference[1], i) ** 2 + at(difference[2], i) ** 2)
  const masked = gradient(difference, width, height).map((value, i) => value ** 2 / (1 + (at(activity, i) / 0.01) ** 2))

  const worst = { means: 0, colours: 0, steps: 0, edges: 0 }
  const [wide, high] = [Math.min(8, width), Math.min(8, height)]
  for (const top of positions(height)) {
    for (const left of positions(width)) {
      const mean = (plane: Plane): number => {
        let sum = 0
        for (let y = top; y < top + high; y++) for (let x = left; x < left + wide; x++) sum += at(plane, y * width + x)
        return sum / (wide * high)
      }
      const [l, a, b] = [mean(difference[0]), mean(difference[1]), mean(difference[2])]
      worst.means = Math.max(worst.means, Math.hypot(l, a, b) / (1 + mean(activity) / 0.03))
      worst.colours = Math.max(worst.colours, Math.hypot(a, b))
      worst.steps = Math.max(worst.steps, Math.sqrt(mean(masked)))
      worst.edges = Math.max(worst.edges, Math.sqrt(mean(squared)))
    }
  }
  return worst
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

/** The length of the forward differences of three planes after [1 2 1] / 4 both ways, edges repeated. */
function gradient(planes: Planes, width: number, height: number): Plane {
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

/** The largest value of the 5 × 5 pixels around each. */
function dilated(plane: Plane, width: number, height: number): Plane {
  return plane.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    let largest = 0
    for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
      for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
        largest = Math.max(largest, at(plane, v * width + u))
      }
    }
    return largest
  })
}

/** Where windows of 8 begin: every 4 pixels, the last flush with the border. */
function positions(size: number): number[] {
  const last = Math.max(0, size - 8)
  return [...Array.from({ length: Math.ceil(last / 4) }, (_, i) => 4 * i), last]
}
