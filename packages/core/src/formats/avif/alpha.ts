/**
 * AVIF whose transparency has a quality of its own. libheif encodes the alpha plane at the quality of the colours,
 * which puts a faint veil behind a cut-out; here the plane is encoded on its own and replaces the one in the file.
 * Sources: AV1 Image File Format, section 4.1 (auxiliary image items); ISO/IEC 14496-12, section 8.11.3 (`iloc`).
 */
import type { AvifOptions } from 'sharp'
import { fromPicture, fromPictureIn16Bits } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { concatBytes } from '../../metadata/bytes.ts'
import { BITS, encodePlane, parsedAlpha } from './alpha-plane.ts'
import { withHiddenColours } from './hidden-colours.ts'
import { itemData } from './metadata-items.ts'
import { buildLocations, encodeBox } from './metadata-write.ts'

/** Holds the parts of a picture with transparency that are made once. */
interface Parts {
  /** Its colours, opaque. */
  readonly colours: Buffer
  readonly plane: Promise<Uint8Array>
}

const partsOf = new WeakMap<Picture, Parts>()

/** libaom's settings besides the quality. */
export interface Settings extends Pick<AvifOptions, 'effort' | 'tune'> {
  readonly effort: number
  /** Bits per channel of an opaque picture. Default 10; a picture with transparency always has 10. */
  readonly bits?: 8 | 10
}

/** Encodes with full chroma. The alpha plane of a picture is made once. */
export async function encodeWithAlpha(
  picture: Picture,
  quality: number,
  { effort, tune, bits = BITS }: Settings,
): Promise<Uint8Array> {
  const settings: AvifOptions = { effort, bitdepth: BITS, chromaSubsampling: '4:4:4' }
  if (picture.channels === 3) {
    const opened = bits === 8 ? fromPicture(picture) : fromPictureIn16Bits(picture)
    return opened.avif({ ...settings, ...(tune !== undefined && { tune }), bitdepth: bits, quality }).toBuffer()
  }
  const parts = partsOf.get(picture) ?? { colours: withHiddenColours(picture), plane: encodePlane(picture) }
  partsOf.set(picture, parts)
  return replacePlane(
    await fromPictureIn16Bits({ ...picture, data: parts.colours })
      .avif({ ...settings, quality })
      .toBuffer(),
    await parts.plane,
  )
}

/**
 * Exchanges the alpha plane of an encoded file for another one of the same size and bit depth: only `iloc` and `mdat`
 * change.
 */
function replacePlane(encoded: Uint8Array, plane: Uint8Array): Uint8Array {
  const { file, alpha } = parsedAlpha(encoded)
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
