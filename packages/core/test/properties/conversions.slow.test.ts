import { afterAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { ImageType } from '../../src/base/types.ts'
import { QUALITY_LEVELS } from '../../src/base/values.ts'
import { ALPHA_TYPES, IMAGE_TYPES, WILDCARD_TYPES } from '../../src/base/formats.ts'
import { bytesOf, imagesOf } from './corpus.ts'
import type { CorpusImage } from './corpus.ts'
import { canDecode, expectPromise, isTransparent, resultPicture, sourcePicture } from './promises.ts'

/**
 * One image of each kind that types treat differently: photograph, drawing, greys, transparency, wide colours, 16 bits.
 */
const IMAGES: readonly CorpusImage[] = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/jxl'].flatMap(
  (type) => {
    // prettier-ignore
    const chosen = ['icc-p3.jpg', 'gray.jpg', 'cmyk.jpg', 'coffee.png', 'bar-0.png', 'pal-trns.png', 'rgb16.png', 'lossy-alpha.webp', 'alpha.avif', 'lossy-d1.jxl']
    return imagesOf(type as ImageType).filter(({ name }) => chosen.includes(name))
  },
)

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

describe.each(IMAGE_TYPES)('conversion to %s', (type) => {
  for (const image of IMAGES)
    it.skipIf(!canDecode(type, image.type))(image.name, async () => {
      const source = bytesOf(image)
      const transparent = isTransparent(await sourcePicture(source))
      if (transparent && !ALPHA_TYPES.has(type)) {
        await expect(optimizer.optimize(source, { convert: { type } })).rejects.toMatchObject({
          code: 'BACKGROUND_REQUIRED',
        })
      } else {
        const result = await optimizer.optimize(source, { convert: { type } })
        expect(result.info.type).toBe(type)
        const short = result.notes.some((note) => note.includes('below the'))
        await expectPromise(source, result, short ? result.score : QUALITY_LEVELS.high)
        if (result.data.length > source.length) expect(result.notes.join()).toContain('Grew from')
      }
    })
})

describe('the wildcard', () => {
  for (const image of IMAGES)
    it.skipIf(!canDecode(image.type, ...WILDCARD_TYPES))(`makes no ${image.name} larger`, async () => {
      const source = bytesOf(image)
      const result = await optimizer.optimize(source, { convert: { type: '*/*' } })
      expect(result.data.length).toBeLessThanOrEqual(source.length)
      expect([...WILDCARD_TYPES, image.type]).toContain(result.info.type)
      if (result.kept === 'output') await expectPromise(source, result)
    })
})

describe('a smaller size', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/jxl'] as const)
    it.skipIf(!canDecode(type))(`keeps ${type} what it is`, async () => {
      for (const image of IMAGES.filter((each) => each.type === type)) {
        const source = bytesOf(image)
        const result = await optimizer.optimize(source, { resize: { method: 'scale', width: 40 } })
        const [before, after] = [await sourcePicture(source), await resultPicture(result.data)]
        expect([after.width, after.height]).toEqual([40, Math.max(1, Math.round((before.height * 40) / before.width))])
        expect(result.info).toMatchObject({ type, width: after.width, height: after.height })
        expect(isTransparent(after)).toBe(isTransparent(before))
      }
    })
})
