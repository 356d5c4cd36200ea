import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { attachDisplayP3 } from '../../../src/engine/colour/attach-profile.ts'
import { buildProfile } from '../../../src/engine/colour/build-profile.ts'
import { DISPLAY_P3 } from '../../../src/engine/colour/colour-space.ts'
import { describedSpace } from '../../../src/engine/colour/described-space.ts'
import { stripMetadata } from '../../../src/metadata/index.ts'
import type { ImageType } from '../../../src/types.ts'
import { cutout, open, photo } from '../../images.ts'

const PICTURES = { opaque: photo(61, 40), transparent: cutout(60, 44) }
const WRITERS: readonly [ImageType, keyof typeof PICTURES, (image: Sharp) => Sharp][] = [
  ['image/jpeg', 'opaque', (image) => image.jpeg({ mozjpeg: true })],
  ['image/png', 'opaque', (image) => image.png({ palette: true })],
  ['image/png', 'transparent', (image) => image.png()],
  ['image/webp', 'opaque', (image) => image.webp()],
  ['image/webp', 'opaque', (image) => image.webp({ lossless: true })],
  ['image/webp', 'transparent', (image) => image.webp({ lossless: true })],
  ['image/webp', 'transparent', (image) => image.webp()],
  ['image/avif', 'opaque', (image) => image.avif({ effort: 0, bitdepth: 10 })],
  ['image/avif', 'transparent', (image) => image.avif({ effort: 0 })],
]
const raw = (file: Uint8Array): Promise<Buffer> => sharp(file, { ignoreIcc: true }).raw().toBuffer()

describe('attachDisplayP3', () => {
  it.each(WRITERS)('tells readers of a %s (%s) of it, and changes no pixel', async (type, name, write) => {
    const picture = PICTURES[name]
    const plain = await write(open(picture)).toBuffer()
    const tagged = attachDisplayP3(plain, type, picture)
    expect(await raw(tagged)).toEqual(await raw(plain))
    if (type === 'image/avif') {
      expect(describedSpace(tagged, type)).toEqual(DISPLAY_P3)
      expect(tagged.length - plain.length).toBe(20)
    } else {
      const metadata = await sharp(tagged).metadata()
      expect(Buffer.from(metadata.icc!)).toEqual(Buffer.from(buildProfile(DISPLAY_P3, 'Display P3')))
      expect([metadata.width, metadata.height]).toEqual([picture.width, picture.height])
      expect(tagged.length - plain.length).toBeLessThan(650)
    }
    // A second one is no good, and what is tagged stays so when metadata is removed.
    expect(Buffer.from(attachDisplayP3(tagged, type, picture))).toEqual(Buffer.from(tagged))
    const stripped = stripMetadata(tagged, type)
    if (type === 'image/avif') expect(describedSpace(stripped, type)).toEqual(DISPLAY_P3)
    else expect((await sharp(stripped).metadata()).icc).toBeDefined()
  })

  it('leaves a profile that is there', async () => {
    for (const type of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const own = await open(PICTURES.opaque).withIccProfile('srgb').toFormat(type).toBuffer()
      expect(attachDisplayP3(own, `image/${type}`, PICTURES.opaque)).toBe(own)
    }
  })

  it('leaves what is cut off', async () => {
    const avif = await open(PICTURES.opaque).avif({ effort: 0 }).toBuffer()
    for (const length of [0, 30, 120, 240]) {
      const part = avif.subarray(0, length)
      expect(attachDisplayP3(part, 'image/avif', PICTURES.opaque)).toBe(part)
    }
  })
})
