import { graphic, photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/index.ts'
import type { Operations } from '../../src/index.ts'

const optimizer = createOptimizer({ cache: false })

/** A pattern of one pixel, in which averages of light are brighter than those of samples. */
async function checks(size: number): Promise<Buffer> {
  const data = Buffer.alloc(size * size * 3)
  for (let at = 0; at < size * size; at++)
    data.fill((((at % size) + Math.floor(at / size)) % 2) * 255, at * 3, at * 3 + 3)
  return sharp(data, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer()
}

async function clear(): Promise<Buffer> {
  const { data, info } = await sharp(await graphic(200, 160).png())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let at = 3; at < data.length; at += 4) data[at] = (at / 4) % 256
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .png()
    .toBuffer()
}

describe('a resize with a kernel', () => {
  it.each([
    ['a photo', () => photo(200, 160).png(), { width: 75 }, 'inside'],
    ['a fine pattern', () => checks(160), { width: 50 }, 'inside'],
    ['a fine pattern between half and full size', () => checks(160), { width: 100 }, 'inside'],
    ['transparency', clear, { width: 75 }, 'inside'],
    ['other proportions', () => photo(200, 160, 2).png(), { width: 60, height: 90 }, 'fill'],
  ] as const)('gives the pixels of sharp: %s', async (_, make, size, fit) => {
    const source = await make()
    const resize = { method: fit === 'fill' ? 'fill' : 'scale', ...size, kernel: 'lanczos3' } as Operations['resize'] &
      object
    const { data } = await optimizer.optimize(source, { resize, lossless: true })
    const [ours, sharps] = await Promise.all(
      [sharp(data), sharp(source).resize({ ...size, fit })].map((each) => each.ensureAlpha().raw().toBuffer()),
    )
    // Colours under full transparency are not seen.
    for (const pixels of [ours!, sharps!])
      for (let at = 3; at < pixels.length; at += 4) if (pixels[at] === 0) pixels.fill(0, at - 3, at)
    expect(Buffer.compare(ours!, sharps!)).toBe(0)
  })
})
