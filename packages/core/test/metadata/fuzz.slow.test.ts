import { describe, expect, it } from 'vitest'
import { readMetadata, readOrientation, stripMetadata, writeMetadata } from '../../src/work/steps/metadata.ts'
import type { Metadata } from '../../src/work/steps/metadata.ts'
import type { ImageType, InputType } from '../../src/base/types.ts'
import { IMAGE_TYPES } from '../../src/base/formats.ts'
import { fixture, typeOf } from './fixture.ts'

const METADATA: Metadata = {
  copyright: { text: 'Ada', flagged: true, url: 'u' },
  creation: '2021:07:04 18:30:15',
}
const FILES = [
  'app13.jpg',
  'exif_gps.jpg',
  'text-chunks.png',
  'all.png',
  'hopper_orientation_6.webp',
  'all.avif',
  'all.jxl',
  'gif-comment-xmp.gif',
] as const

/** The bytes in which structure and metadata are: what lies in between is pixels. */
const HEADS: Readonly<Record<string, number>> = { 'all.avif': 5600, 'all.jxl': 800 }

function attempt(data: Uint8Array, type: InputType): void {
  const metadata = readMetadata(data, type)
  expect(readOrientation(data, type)).toBeGreaterThanOrEqual(1)
  expect(stripMetadata(data, type).length).toBeLessThanOrEqual(data.length)
  if ((IMAGE_TYPES as readonly string[]).includes(type)) {
    // Metadata that was read can be written, whatever it was read from.
    writeMetadata(data, type as ImageType, metadata)
    writeMetadata(data, type as ImageType, METADATA)
  }
}

/** Mulberry32: the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe.each(FILES)('%s', (name) => {
  const file = fixture(name)
  const type = typeOf(name)

  it('neither throws nor hangs, wherever it is truncated', () => {
    for (let length = 0; length < file.length; length++) attempt(file.subarray(0, length), type)
  })

  it('neither throws nor hangs, whatever bytes are changed', () => {
    const next = random(file.length)
    const head = HEADS[name] ?? file.length
    for (let round = 0; round < 1000; round++) {
      const damaged = file.slice()
      for (let flips = 1 + Math.floor(next() * 4); flips > 0; flips--) {
        damaged[Math.floor(next() * head)] = Math.floor(next() * 256)
      }
      attempt(damaged, type)
    }
  })

  it('neither throws nor hangs, whichever field says the most or nothing', () => {
    for (const [size, value] of [
      [1, 0xff],
      [2, 0xff],
      [4, 0xff],
      [4, 0],
    ] as const) {
      // prettier-ignore
      for (let at = 0; at + size <= Math.min(file.length, 1500); at++) attempt(file.slice().fill(value, at, at + size), type)
    }
  })
})
