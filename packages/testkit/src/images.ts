import { TestImage } from './image-output.ts'

/**
 * Draws something like a photograph: soft shapes in several scales, light falling off, and grain. Deterministic; every
 * seed is another scene.
 */
export function photo(width: number, height: number, seed = 1): TestImage {
  const random = randomNumbers(seed)
  const octaves = [3, 7, 17, 41].map((cells, index) => ({
    grid: noiseGrid(cells, random),
    weight: 150 / 2.2 ** index,
  }))
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      const light = 40 - (60 * y) / height
      const grain = (random() - 0.5) * 6
      for (let channel = 0; channel < 3; channel++) {
        let value = 100 + light + grain
        for (const { grid, weight } of octaves) {
          value += weight * (sample(grid, x / width, y / height, channel) - 0.5)
        }
        pixels[at + channel] = Math.max(0, Math.min(255, Math.round(value)))
      }
    }
  }
  return new TestImage({ pixels, width, height, channels: 3 })
}

/** Draws something like a logo or a screenshot: a flat ground, boxes in few colours, sharp edges. */
export function graphic(width: number, height: number, seed = 1): TestImage {
  return new TestImage({ pixels: boxes(width, height, seed, 255), width, height, channels: 4 }).opaque()
}

/** Draws the same on a transparent ground; the last box is half transparent. */
export function transparentGraphic(width: number, height: number, seed = 1): TestImage {
  return new TestImage({ pixels: boxes(width, height, seed, 0), width, height, channels: 4 })
}

/** Draws frames with a box that travels from left to right, for `.gif()` and `.webp()`. */
export function animation(width: number, height: number, frames = 4, seed = 1): TestImage {
  const [ground, box] = palette(randomNumbers(seed), 2)
  const pixels = new Uint8Array(width * height * frames * 4)
  for (let frame = 0; frame < frames; frame++) {
    const canvas = pixels.subarray(frame * width * height * 4, (frame + 1) * width * height * 4)
    const step = (width * 0.6 * frame) / Math.max(1, frames - 1)
    fill(canvas, width, { left: 0, top: 0, right: width, bottom: height }, [...ground!, 255])
    const left = Math.round(step + width * 0.05)
    const bounds = {
      left,
      top: Math.round(height * 0.3),
      right: left + Math.round(width * 0.3),
      bottom: Math.round(height * 0.7),
    }
    fill(canvas, width, bounds, [...box!, 255])
  }
  return new TestImage({ pixels, width, height, channels: 4, frames })
}

function boxes(width: number, height: number, seed: number, groundAlpha: number): Uint8Array {
  const random = randomNumbers(seed)
  const [ground, ...colours] = palette(random, 7)
  const pixels = new Uint8Array(width * height * 4)
  fill(pixels, width, { left: 0, top: 0, right: width, bottom: height }, [...ground!, groundAlpha])
  for (const [index, colour] of colours.entries()) {
    const left = Math.floor(random() * width * 0.7)
    const top = Math.floor(random() * height * 0.7)
    const right = Math.min(width, left + Math.ceil(width * (0.1 + random() * 0.3)))
    const bottom = Math.min(height, top + Math.ceil(height * (0.1 + random() * 0.3)))
    const alpha = groundAlpha === 255 || index < colours.length - 1 ? 255 : 128
    fill(pixels, width, { left, top, right, bottom }, [...colour, alpha])
  }
  return pixels
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

function fill(pixels: Uint8Array, width: number, { left, top, right, bottom }: Box, colour: readonly number[]): void {
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) pixels.set(colour, (y * width + x) * 4)
  }
}

function palette(random: () => number, count: number): number[][] {
  return Array.from({ length: count }, () => [random(), random(), random()].map((value) => Math.round(value * 255)))
}

/** A square of random values in three channels, with so many cells on each side. */
interface NoiseGrid {
  readonly cells: number
  readonly values: Float64Array
}

/** Returns a square of random values that repeats at its edges. */
function noiseGrid(cells: number, random: () => number): NoiseGrid {
  return { cells, values: Float64Array.from({ length: cells * cells * 3 }, random) }
}

function sample({ cells, values }: NoiseGrid, u: number, v: number, channel: number): number {
  const x = u * cells
  const y = v * cells
  const column = Math.floor(x)
  const row = Math.floor(y)
  const at = (dx: number, dy: number): number =>
    values[(((row + dy) % cells) * cells + ((column + dx) % cells)) * 3 + channel]!
  const fx = smooth(x - column)
  const fy = smooth(y - row)
  const upper = at(0, 0) + (at(1, 0) - at(0, 0)) * fx
  const lower = at(0, 1) + (at(1, 1) - at(0, 1)) * fx
  return upper + (lower - upper) * fy
}

const smooth = (t: number): number => t * t * (3 - 2 * t)

/** Creates Mulberry32 (Tommy Ettinger, public domain): the same numbers from the same seed on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
