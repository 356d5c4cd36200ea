import { expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import { imageDetails } from '../../src/optimizer/image-details.ts'
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
