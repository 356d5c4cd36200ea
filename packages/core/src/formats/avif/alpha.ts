/**
 * AVIF whose transparency is exact where it is none or all. libheif encodes the alpha plane at the quality of the
 * colours, which puts a faint veil behind a cut-out; here the plane is encoded on its own and replaces the one in the
 * file. Sources: AV1 Image File Format, section 4.1 (auxiliary image items); ISO/IEC 14496-12, section 8.11.3 (`iloc`).
 */
import sharp from 'sharp'
import type { AvifOptions } from 'sharp'
import { PixpressError } from '../../base/errors.ts'
import { fromPicture, fromPictureIn16Bits } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { concatBytes } from '../../metadata/bytes.ts'
import { wordsOf } from '../../resample/raster.ts'
import { toByte } from '../../resample/transfer.ts'
import { itemData, parseAvif } from './metadata-items.ts'
import type { AvifFile, Item } from './metadata-items.ts'
import { buildLocations, encodeBox, primaryItem } from './metadata-write.ts'

/**
 * Settings that are tried before a plane is lossless. Only 8 of its 10 bits are shown, so it need not be lossless to be
 * exact: soft shadows are exact at 75 or 90, for half of the bytes; hard edges are not, and lossless takes fewer bytes
 * for them anyway.
 */
const QUALITIES = [60, 75, 90] as const

const BITS = 10

const planes = new WeakMap<Picture, Map<number, Promise<Uint8Array>>>()

/** libaom's settings besides the quality. */
export interface Settings extends Pick<AvifOptions, 'effort' | 'tune'> {
  readonly effort: number
  /** Bits per channel of an opaque picture. Default 10; a picture with transparency always has 10. */
  readonly bits?: 8 | 10
}

/**
 * Encodes with full chroma, and with alpha 0 and 255 exactly where the picture has them. The alpha plane of a picture
 * is made once per effort.
 */
export async function encodeExactAlpha(
  picture: Picture,
  quality: number,
  { effort, tune, bits = BITS }: Settings,
): Promise<Uint8Array> {
  const settings: AvifOptions = { effort, bitdepth: BITS, chromaSubsampling: '4:4:4' }
  if (picture.channels === 3) {
    const opened = bits === 8 ? fromPicture(picture) : fromPictureIn16Bits(picture)
    return opened.avif({ ...settings, ...(tune !== undefined && { tune }), bitdepth: bits, quality }).toBuffer()
  }
  const ofPicture = planes.get(picture) ?? new Map<number, Promise<Uint8Array>>()
  planes.set(picture, ofPicture)
  const plane = ofPicture.get(effort) ?? encodePlane(picture, settings)
  ofPicture.set(effort, plane)
  const opaque = Buffer.from(picture.data)
  for (let at = 3; at < opaque.length; at += 4) opaque[at] = 255
  return replacePlane(
    await fromPictureIn16Bits({ ...picture, data: opaque })
      .avif({ ...settings, quality })
      .toBuffer(),
    await plane,
  )
}

/** Encodes the smallest alpha plane that is exact at 0 and 255, and returns its AV1 bytes. */
async function encodePlane(picture: Picture, settings: AvifOptions): Promise<Uint8Array> {
  const black = Buffer.alloc(picture.data.length)
  for (let at = 3; at < black.length; at += 4) black[at] = picture.data[at]!
  const lossless = planeOf(
    await fromPictureIn16Bits({ ...picture, data: black })
      .avif({ ...settings, lossless: true, quality: 100 })
      .toBuffer(),
  )
  for (const quality of QUALITIES) {
    const encoded = await fromPictureIn16Bits({ ...picture, data: black })
      .avif({ ...settings, quality })
      .toBuffer()
    const plane = planeOf(encoded)
    if (plane.length >= lossless.length) break
    if (await isExact(picture, encoded)) return plane
  }
  return lossless
}

async function isExact({ data }: Picture, encoded: Uint8Array): Promise<boolean> {
  const opened = sharp(encoded, { limitInputPixels: false }).ensureAlpha().toColourspace('rgb16')
  const shown = wordsOf(await opened.raw({ depth: 'ushort' }).toBuffer(), BITS)
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at]!
    if ((alpha === 0 || alpha === 255) && toByte(shown[at]!) !== alpha) return false
  }
  return true
}

function planeOf(encoded: Uint8Array): Uint8Array {
  const { file, alpha } = parsed(encoded)
  const plane = itemData(encoded, file, alpha)
  if (plane === undefined) throw new PixpressError('INTERNAL', 'An AVIF has no bytes of its alpha plane')
  return Uint8Array.from(plane)
}

/**
 * Exchanges the alpha plane of an encoded file for another one of the same size and bit depth: only `iloc` and `mdat`
 * change.
 */
function replacePlane(encoded: Uint8Array, plane: Uint8Array): Uint8Array {
  const { file, alpha } = parsed(encoded)
  const data = file.items.map((item) => (item === alpha ? plane : itemData(encoded, file, item)!))
  let at = file.boxes.at(-1)!.content
  const locations = file.items.map(({ id }, index) => {
    const { length } = data[index]!
    const location = { id, origin: 0, dataReference: 0, base: at, extents: [{ index: 0, offset: 0, length }] }
    at += length
    return location
  })
  const meta = encodeBox('meta', [
    encoded.subarray(file.meta.content, file.meta.content + 4),
    ...file.children.map(({ type, start, end }) =>
      type === 'iloc' ? buildLocations(file.locations, locations) : encoded.subarray(start, end),
    ),
  ])
  return concatBytes([encoded.subarray(0, file.meta.start), meta, encodeBox('mdat', data)])
}

/** Parses a file as libheif writes it: `ftyp`, `meta` and `mdat`, with one item of colours and one of their alpha. */
function parsed(encoded: Uint8Array): { file: AvifFile; alpha: Item } {
  const file = parseAvif(encoded)
  const primary = file === undefined ? undefined : primaryItem(encoded, file)
  const alpha = file?.items.find(({ id }) => id !== primary)
  const layout = file?.boxes.map(({ type }) => type).join(' ')
  if (file === undefined || alpha === undefined || file.items.length !== 2 || layout !== 'ftyp meta mdat') {
    throw new PixpressError(
      'INTERNAL',
      `An AVIF with transparency was expected as 'ftyp meta mdat', and is '${layout}'`,
    )
  }
  return { file, alpha }
}
