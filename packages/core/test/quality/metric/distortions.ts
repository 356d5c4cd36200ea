import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'

const FIXTURES = path.join(import.meta.dirname, 'fixtures')

/** The sRGB pixels of a fixture, without alpha. */
export async function fixture(file: string): Promise<Pixels> {
  const { data, info } = await sharp(await readFile(path.join(FIXTURES, file)))
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 3 }
}

/** The picture with rectangles of another colour: left, top, right, bottom. */
export function changed(pixels: Pixels, ...areas: ReadonlyArray<readonly [number, number, number, number]>): Pixels {
  const data = pixels.data.slice()
  for (const [left, top, right, bottom] of areas) {
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) data[(y * pixels.width + x) * pixels.channels + 1]! ^= 24
    }
  }
  return { ...pixels, data }
}

/** The mean of each pixel's 3 × 3 neighbourhood, the border repeated. */
export function blurred(pixels: Pixels): Pixels {
  const { width, height, channels } = pixels
  return mapped(pixels, (sample, x, y, c) => {
    let sum = 0
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const column = Math.min(width - 1, Math.max(0, x + dx))
        const row = Math.min(height - 1, Math.max(0, y + dy))
        sum += sample((row * width + column) * channels + c)
      }
    }
    return Math.round(sum / 9)
  })
}

/** Pseudo-random offsets of −8 … 8 on every sample. */
export function noisy(pixels: Pixels): Pixels {
  let state = 1
  return mapped(pixels, (sample, x, y, c) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const value = sample((y * pixels.width + x) * pixels.channels + c) + ((state >>> 24) % 17) - 8
    return Math.min(255, Math.max(0, value))
  })
}

/** Moved to the left by one pixel, the last column repeated. */
export function shifted(pixels: Pixels): Pixels {
  const { width, channels } = pixels
  return mapped(pixels, (sample, x, y, c) => sample((y * width + Math.min(width - 1, x + 1)) * channels + c))
}

function mapped(
  { data, width, height, channels }: Pixels,
  value: (sample: (index: number) => number, x: number, y: number, channel: number) => number,
): Pixels {
  const sample = (index: number): number => data[index] ?? 0
  const result = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / channels)
    result[i] = value(sample, pixel % width, Math.floor(pixel / width), i % channels)
  }
  return { data: result, width, height, channels }
}

/** Pixels without structure, the same for the same seed. */
export function randomPixels(width: number, height: number, channels: 3 | 4, seed: number): Pixels {
  let state = seed
  const data = Uint8Array.from({ length: width * height * channels }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
  return { data, width, height, channels }
}
