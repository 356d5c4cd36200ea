import { expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import { imageDetails, orientationOf } from '../../src/optimizer/image-details.ts'
import { codecOf } from '../../src/formats/index.ts'
import { COMPRESSED_TYPES } from '../../src/base/formats.ts'
import { cutout, open, photo } from '../images.ts'

it('imageDetails are what sharp says of the bytes', async () => {
  const jpeg = await open(photo(32, 24)).jpeg({ progressive: true }).withMetadata({ density: 144 }).toBuffer()
  expect(await imageDetails(jpeg, { type: 'image/jpeg', hasAlpha: false })).toMatchObject({
    space: 'srgb',
    channels: 3,
    depth: 'uchar',
    density: 144,
    chromaSubsampling: '4:2:0',
    isProgressive: true,
    hasAlpha: false,
  })
  const png = await open(cutout(20, 20)).png().toBuffer()
  const known = { space: 'srgb', channels: 4, depth: 'uchar', hasProfile: false, isProgressive: false, hasAlpha: true }
  expect(await imageDetails(png, { type: 'image/png', hasAlpha: true })).toMatchObject(known)
  const { data } = await optimize(png, { convert: { type: 'image/jxl' } })
  expect(await imageDetails(data, { type: 'image/jxl', hasAlpha: true })).toMatchObject(known)
})

it('orientationOf reads what the codec of each type reads, without the codec', async () => {
  for (const type of COMPRESSED_TYPES) {
    const codec = codecOf(type)
    const name = type.slice('image/'.length)
    if (name !== 'jpeg' && name !== 'png' && name !== 'webp') {
      expect([type, codec.readOrientation]).toEqual([type, undefined])
      continue
    }
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const data = await open(photo(32, 24)).withMetadata({ orientation }).toFormat(name).toBuffer()
      expect((await orientationOf(data, type)) ?? 1, `${name} ${orientation}`).toBe(codec.readOrientation?.(data) ?? 1)
    }
  }
})
