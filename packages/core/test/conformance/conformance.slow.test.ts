import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { decodeIndependently } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { detectType } from '../../src/base/detect.ts'
import { PixpressError } from '../../src/base/errors.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { canDecode, resultPicture, sourcePicture } from '../properties/promises.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/conformance')

/** Mean difference of two decoders' samples, in levels of 255, below which they see the same picture. */
const ALIKE = 1.5

/** Files that use rare features of their formats, and the expected outcome. */
const DECISIONS: Readonly<Record<string, 'decoded' | 'DECODE_FAILED' | 'UNSUPPORTED_OPERATION'>> = {
  'alpha-premultiplied.avif': 'decoded',
  'anim-alpha.avif': 'UNSUPPORTED_OPERATION',
  'anim-1frame.webp': 'decoded',
  'arithmetic-progressive.jpg': 'decoded',
  'arithmetic.jpg': 'decoded',
  'baseline-4x2.jpg': 'decoded',
  'fill-bytes.jpg': 'decoded',
  'gray1.png': 'decoded',
  'grid-2x2.avif': 'decoded',
  'imir0.avif': 'decoded',
  'limited-range.avif': 'decoded',
  'lossless-alpha-exact.webp': 'decoded',
  'mpo.jpg': 'decoded',
  // The file is cut off, and the missing part would be grey.
  'no-eoi.jpg': 'DECODE_FAILED',
  'pal1.png': 'decoded',
  'patches-noise.jxl': 'decoded',
  'pq-bt2020-10bit.avif': 'UNSUPPORTED_OPERATION',
  'progressive.jxl': 'decoded',
  'rgb-no-transform.jpg': 'decoded',
  'two-concatenated.jpg': 'decoded',
  'unknown-ancillary.png': 'decoded',
  'ycck-adobe2.jpg': 'decoded',
  'yuv420-12bit.avif': 'decoded',
}

/** Files that the other programs show otherwise: avifdec does not rotate, djpeg has no colour management. */
const NO_SECOND_OPINION: ReadonlySet<string> = new Set([
  'alpha-premultiplied.avif',
  'anim-1frame.webp',
  'imir0.avif',
  'ycck-adobe2.jpg',
])

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

describe('a file that uses the corners of its format', () => {
  it('has a decision', () => {
    expect(readdirSync(FIXTURES).filter((name) => !name.endsWith('.md'))).toEqual(Object.keys(DECISIONS).sort())
  })

  it.each(Object.entries(DECISIONS))('%s: %s', async (name, decision) => {
    const source = readFileSync(path.join(FIXTURES, name))
    // A PNG would be kept as it is.
    const type = detectType(source) === 'image/png' ? 'image/webp' : 'image/png'
    const outcome = await optimizer
      .optimize(source, { convert: { type }, quality: 100 })
      .catch((error: unknown) => error)
    if (outcome instanceof PixpressError) {
      expect(outcome.code).toBe(decision)
      expect(outcome.message).toMatch(/\.$/)
    } else {
      if (outcome instanceof Error) throw outcome
      expect(decision).toBe('decoded')
    }
  })

  const compared = Object.keys(DECISIONS).filter(
    (name) => DECISIONS[name] === 'decoded' && !NO_SECOND_OPINION.has(name),
  )
  for (const name of compared) {
    const source = readFileSync(path.join(FIXTURES, name))
    const type = detectType(source)!
    const lossless = type === 'image/png' ? 'image/webp' : 'image/png'
    it.skipIf(!canDecode(type, lossless))(`${name} looks as another decoder sees it`, async () => {
      const { data } = await optimizer.optimize(source, { convert: { type: lossless }, quality: 100 })
      const [expected, actual] = [await decodeIndependently(source), await sourcePicture(data)]
      expect([actual.width, actual.height]).toEqual([expected.width, expected.height])
      expect(meanDifference(actual.pixels, expected.pixels)).toBeLessThan(ALIKE)
      expect((await resultPicture(data)).pixels.equals(actual.pixels)).toBe(true)
    })
  }
})

/** Returns the mean difference of all samples except the colours of fully transparent pixels. */
function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 4) {
    if (a[at + 3] === 0 && b[at + 3] === 0) continue
    for (let channel = at; channel < at + 4; channel++) sum += Math.abs(a[channel]! - b[channel]!)
  }
  return sum / a.length
}
