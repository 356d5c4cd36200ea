import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { DECODERS, checkStructure, decodeIndependently, missingTool, photo, requireTool } from '../src/index.ts'

/** The largest mean difference, in levels of 255, of what two decoders make of one file. */
const ALIKE = 1

const meanDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length

describe('decodeIndependently', () => {
  describe.each(['jpeg', 'png', 'webp', 'avif'] as const)('for %s', (format) => {
    const itDecodes = it.skipIf(requireTool(DECODERS[format]) === undefined)

    itDecodes('reads the pixels that sharp reads', async () => {
      const bytes = await photo(48, 36)[format]()
      const picture = await decodeIndependently(bytes)
      expect([picture.width, picture.height]).toEqual([48, 36])
      expect(meanDifference(picture.pixels, await sharp(bytes).ensureAlpha().raw().toBuffer())).toBeLessThan(ALIKE)
    })

    if (format !== 'avif')
      itDecodes('applies a colour profile', async () => {
        const plain = await photo(48, 36).png()
        const wide = await sharp(plain).withIccProfile('p3').toFormat(format, { quality: 100 }).toBuffer()
        const stored = await sharp(wide, { ignoreIcc: true }).ensureAlpha().raw().toBuffer()
        const shown = await sharp(wide).ensureAlpha().raw().toBuffer()
        expect(meanDifference(stored, shown)).toBeGreaterThan(2 * ALIKE)
        expect(meanDifference((await decodeIndependently(wide)).pixels, shown)).toBeLessThan(ALIKE)
      })

    itDecodes('tells what is wrong with a damaged file', async () => {
      const bytes = await photo(48, 36)[format]()
      await expect(decodeIndependently(bytes.subarray(0, 60))).rejects.toThrow(DECODERS[format])
    })
  })

  it('refuses what no program is known for', async () => {
    await expect(decodeIndependently(Buffer.from('<svg/>'))).rejects.toThrow('No program decodes')
  })

  it('names a missing program', async () => {
    expect(missingTool('djpeg')).toContain('install-test-packages.sh')
    expect(missingTool('oxipng')).toContain('cargo install')
  })
})

describe.skipIf(requireTool('webpinfo') === undefined)('checkStructure', () => {
  it('takes a whole animation and refuses a cut one', async () => {
    const frames = photo(16, 48)
    const animation = await sharp(frames.pixels, { raw: { width: 16, height: 48, channels: 3, pageHeight: 16 } })
      .webp()
      .toBuffer()
    await checkStructure(animation)
    await expect(checkStructure(animation.subarray(0, 100))).rejects.toThrow('webpinfo')
  })
})
