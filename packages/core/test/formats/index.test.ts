import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import type { CodecFor } from '../../src/encoding/codec.ts'
import { FORMAT_NAMES, factsOf, INPUT_TYPES, isImageType } from '../../src/base/formats.ts'
import { codecOf, writableCodecOf } from '../../src/formats/index.ts'
import { buildProfile } from '../../src/colour/build-profile.ts'
import { DISPLAY_P3 } from '../../src/colour/colour-space.ts'
import { stripMetadata } from '../../src/work/steps/metadata.ts'
import type { ImageType } from '../../src/base/types.ts'
import { cutout, open, photo } from '../images.ts'

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

describe('Display P3', () => {
  it.each(WRITERS)('is told to readers of a %s (%s), and changes no pixel', async (type, name, write) => {
    const picture = PICTURES[name]
    const plain = await write(open(picture)).toBuffer()
    const tagged = codecOf(type).inDisplayP3!(plain, picture)
    expect(await raw(tagged)).toEqual(await raw(plain))
    if (type === 'image/avif') {
      expect(codecOf(type).colourSpace!(tagged)).toEqual(DISPLAY_P3)
      expect(tagged.length - plain.length).toBe(20)
    } else {
      const metadata = await sharp(tagged).metadata()
      expect(Buffer.from(metadata.icc!)).toEqual(Buffer.from(buildProfile(DISPLAY_P3, 'Display P3')))
      expect([metadata.width, metadata.height]).toEqual([picture.width, picture.height])
      expect(tagged.length - plain.length).toBeLessThan(650)
    }
    // A second profile would be invalid, and the profile stays when metadata is removed.
    expect(Buffer.from(codecOf(type).inDisplayP3!(tagged, picture))).toEqual(Buffer.from(tagged))
    const stripped = stripMetadata(tagged, type)
    if (type === 'image/avif') expect(codecOf(type).colourSpace!(stripped)).toEqual(DISPLAY_P3)
    else expect((await sharp(stripped).metadata()).icc).toBeDefined()
  })

  it('does not replace a profile that is there', async () => {
    for (const type of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const own = await open(PICTURES.opaque).withIccProfile('srgb').toFormat(type).toBuffer()
      expect(codecOf(`image/${type}`).inDisplayP3!(own, PICTURES.opaque)).toBe(own)
    }
  })

  it('leaves a truncated file as it is', async () => {
    const avif = await open(PICTURES.opaque).avif({ effort: 0 }).toBuffer()
    for (const length of [0, 30, 120, 240]) {
      const part = avif.subarray(0, length)
      expect(codecOf('image/avif').inDisplayP3!(part, PICTURES.opaque)).toBe(part)
    }
  })
})

describe('codecs', () => {
  it('have what the facts of their formats promise', () => {
    expect(FORMAT_NAMES).toHaveLength(INPUT_TYPES.length)
    for (const type of INPUT_TYPES) {
      const codec = codecOf(type)
      if (factsOf(type).animation) expect(codec.encodeAnimation).toBeTypeOf('function')
      if (isImageType(type)) expect(writableCodecOf(type).encode).toBeTypeOf('function')
    }
  })

  it('do not compile without it', () => {
    // @ts-expect-error a format that can be written needs an encoder
    const silent: CodecFor<'avif'> = {}
    // @ts-expect-error a format whose animations are written needs an encoder for them
    const still: CodecFor<'gif'> = {}
    expect([silent, still]).toEqual([{}, {}])
  })
})
