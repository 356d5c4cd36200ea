import { checkStructure, decode, decodeIndependently, requireTool, toPixels } from '@pixpress/testkit'
import type { ImageProgram, IndependentPicture } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { detectType } from '../../src/base/detect.ts'
import { PixpressError } from '../../src/base/errors.ts'
import { ssimulacra2 } from '../../src/quality/metric/ssimulacra2.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'
import { composeGif } from '../../src/formats/gif/compose.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { InputType } from '../../src/base/types.ts'
import { QUALITY_LEVELS } from '../../src/base/values.ts'
import { bytesOf, imagesOf } from './corpus.ts'
import type { OptimizeResult } from '../../src/optimizer/result.ts'

/** Points by which the scores of two decoders may differ, because they upsample chroma and round differently. */
const DECODER_TOLERANCE = 0.5

/** The same for wide colours. They are compared in sRGB here, where equal differences of colour are larger. */
const WIDE_TOLERANCE = 1.2

/** The programs that decode each type, or check its animations; GIF has none besides sharp. */
const PROGRAMS: Readonly<Partial<Record<InputType, readonly ImageProgram[]>>> = {
  'image/jpeg': ['djpeg'],
  'image/png': ['pngcheck'],
  'image/webp': ['dwebp', 'webpinfo'],
  'image/avif': ['avifdec'],
  'image/jxl': ['djxl'],
}

/** Types whose animated frames sharp cannot read, so that these tests cannot compare them. */
const UNSEEN: ReadonlySet<InputType> = new Set(['image/png', 'image/avif', 'image/jxl'])

/**
 * Returns `true` if the programs that decode these types are installed.
 * @throws Error if `CI` is set and one is missing
 */
export function canDecode(...types: readonly InputType[]): boolean {
  return types.every((type) => (PROGRAMS[type] ?? []).every((program) => requireTool(program) !== undefined))
}

/**
 * Tests that the engine keeps its promises for every image, whatever it contains: the image does not grow, it looks
 * right, it keeps its size, frames and transparency, the same input gives the same bytes, and a finished result stays
 * unchanged.
 */
export function describePromises(type: InputType): void {
  const images = imagesOf(type)
  const optimizer = createOptimizer({ cache: createMemoryCache(), rememberResults: true, concurrency: 1 })
  const second = createOptimizer({ concurrency: 1 })
  afterAll(async () => {
    await Promise.all([optimizer.close(), second.close()])
  })

  describe.skipIf(!canDecode(type))(`every ${type}`, () => {
    it('is among the images of this test', () => {
      expect(images.length).toBeGreaterThan(2)
    })

    it.each(images)('$name', async (image) => {
      const source = bytesOf(image)
      const result = await optimizer.optimize(source).catch((error: unknown) => {
        if (!image.isFixture && error instanceof PixpressError && error.status < 500) return undefined
        throw error
      })
      if (result === undefined) return
      expect(result.data.length).toBeLessThanOrEqual(source.length)
      expect(result.info).toMatchObject({ type, size: result.data.length, frames: result.input.frames })
      expect(detectType(result.data)).toBe(type)
      if (result.kept === 'output') {
        if (image.isFixture || !isShownOtherwise(source)) await expectPromise(source, result)
      } else expect([result.info.width, result.info.height]).toEqual([result.input.width, result.input.height])

      const again = await second.optimize(source)
      expect(Buffer.compare(again.data, result.data)).toBe(0)
      const finished = await optimizer.optimize(result.data)
      expect(Buffer.compare(finished.data, result.data)).toBe(0)
    })
  })
}

/**
 * Returns `true` if sharp shows a PNG differently from its meaning: sharp ignores animation, and colours that are
 * described without a profile.
 */
function isShownOtherwise(source: Buffer): boolean {
  const [head = ''] = source.subarray(0, 4096).toString('latin1').split('IDAT')
  return detectType(source) === 'image/png' && /gAMA|cHRM|cICP|acTL/.test(head)
}

/** @throws when a result is not the picture of its source, as another decoder sees it, at the promised score */
export async function expectPromise(
  source: Uint8Array,
  result: OptimizeResult,
  score: number = QUALITY_LEVELS.high,
): Promise<void> {
  const { data, info, input } = result
  if (input.frames > 1) return expectSameAnimation(source, result, score)
  const [expected, actual] = await Promise.all([sourcePicture(source), resultPicture(data)])
  expect([actual.width, actual.height]).toEqual([expected.width, expected.height])
  expect([info.width, info.height]).toEqual([actual.width, actual.height])
  expect(isTransparent(actual)).toBe(isTransparent(expected))
  // Browsers convert CMYK in their own way, which test/browser/colour.test.ts compares.
  if (await hasInks(source)) return
  const { icc } = await sharp(data)
    .metadata()
    .catch(() => ({ icc: undefined }))
  const tolerance = icc === undefined ? DECODER_TOLERANCE : WIDE_TOLERANCE
  expect(scoreOf(expected, actual)).toBeGreaterThanOrEqual(score - tolerance)
}

async function hasInks(source: Uint8Array): Promise<boolean> {
  return detectType(source) === 'image/jpeg' && (await sharp(source).metadata()).space === 'cmyk'
}

/** Every frame is compared; delays and the loop count are to stay. */
async function expectSameAnimation(source: Uint8Array, { data, input }: OptimizeResult, score: number): Promise<void> {
  if (input.type === 'image/webp' || input.type === 'image/png') await checkStructure(data)
  if (UNSEEN.has(input.type)) return
  const [decoded, actual] = await Promise.all([decode(source), decode(data)])
  // sharp fills transparent areas of some GIFs. formats/gif/compose.test.ts tests what browsers show.
  const shown = input.type === 'image/gif' ? await composeGif(source) : undefined
  const expected = shown === undefined ? decoded : { ...decoded, pixels: Buffer.from(shown.frames.data) }
  expect([actual.width, actual.height, actual.frames]).toEqual([expected.width, expected.height, expected.frames])
  expect(await timesOf(data)).toEqual(await timesOf(source))
  const { width, height } = expected
  for (let frame = 0, size = width * height * 4; frame < expected.frames; frame++) {
    const [before, after] = [expected, actual].map(({ pixels }) => ({
      width,
      height,
      pixels: Buffer.from(pixels.subarray(frame * size, (frame + 1) * size)),
    }))
    expect(scoreOf(before!, after!)).toBeGreaterThanOrEqual(score - DECODER_TOLERANCE)
  }
}

/** The picture that a source shows: sharp turns it upright and converts its colours; JPEG XL only djxl knows. */
export async function sourcePicture(source: Uint8Array): Promise<IndependentPicture> {
  return asShown(source, await (detectType(source) === 'image/jxl' ? decodeIndependently(source) : toPixels(source)))
}

/** Decodes a result with the program of its format, as other software does. */
export async function resultPicture(result: Uint8Array): Promise<IndependentPicture> {
  return asShown(result, await (detectType(result) === 'image/gif' ? toPixels(result) : decodeIndependently(result)))
}

/**
 * Corrects a picture that ImageMagick wrote from sRGB. Browsers take `gAMA` with `cHRM` for a power of 2.2, which is
 * darker than sRGB in shadows.
 */
function asShown(file: Uint8Array, picture: IndependentPicture): IndependentPicture {
  const [head = ''] = Buffer.from(file.subarray(0, 4096)).toString('latin1').split('IDAT')
  const gamma = head.indexOf('gAMA\0\0\xb1\x8f')
  if (detectType(file) !== 'image/png' || gamma < 0 || !head.includes('cHRM') || /sRGB|iCCP|cICP/.test(head))
    return picture
  const encoded = Array.from({ length: 256 }, (_, byte) => {
    const light = (byte / 255) ** 2.2
    return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))
  })
  return { ...picture, pixels: Buffer.from(picture.pixels.map((byte, at) => (at % 4 === 3 ? byte : encoded[byte]!))) }
}

export function scoreOf(a: IndependentPicture, b: IndependentPicture): number {
  return ssimulacra2(rgba(a), rgba(b))
}

const rgba = ({ width, height, pixels }: IndependentPicture): Pixels => ({ data: pixels, width, height, channels: 4 })

export function isTransparent({ pixels }: IndependentPicture): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return true
  return false
}

async function timesOf(animation: Uint8Array): Promise<unknown> {
  const { delay, loop } = await sharp(animation, { animated: true }).metadata()
  return { delay, loop }
}
