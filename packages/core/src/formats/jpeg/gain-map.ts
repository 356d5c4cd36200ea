/**
 * Puts an HDR gain map behind a JPEG: screens that are brighter than white show the picture by it as it was taken,
 * others show the picture alone. Sources as in more-pictures.ts.
 */
import sharp from 'sharp'
import { ascii, bigEndian, concatBytes } from '../../metadata/bytes.ts'
import { upright } from '../../encoding/turned.ts'
import type { GainMapView } from '../../encoding/codec.ts'
import { encodeSegment, segments, stripJpeg } from './metadata.ts'
import { APP1, APP2, HDR_NAMESPACE, ISO_PREFIX, MPF_PREFIX, XMP_PREFIX, isMapValues } from './more-pictures.ts'
import type { Rectangle } from '../../resample/raster.ts'
import type { Size } from '../../resample/size.ts'
import { recompressScans, sameAs } from './transcode.ts'

const [APP0, SOS] = [0xe0, 0xda] as const

/**
 * Quality at which a map is encoded. It changes the brightness on a screen of three stops by a fiftieth of a stop (root
 * mean square), in a third of the bytes that writers' 95 takes.
 */
const QUALITY = 85

/**
 * Share of its bytes, losslessly packed, below which a map that fits already is encoded again. Its second encode never
 * gets there.
 */
const WORTHWHILE = 0.8

/** Returns a gain map's file for what a result shows of the picture, with the values by which it is applied. */
export async function fitGainMap(file: Uint8Array, view: GainMapView): Promise<Uint8Array> {
  const values = [...segments(file)]
    .filter((segment) => isMapValues(file, segment))
    .map(({ start, end }) => file.subarray(start, end))
  const bare = stripJpeg(file)
  const encoded = await encodeMap(bare, view)
  const fits = view.orientation === 1 && view.part === undefined && view.scale === 1
  const exact = fits ? await repacked(bare) : undefined
  const map = exact !== undefined && encoded.length > WORTHWHILE * exact.length ? exact : encoded
  return concatBytes([map.subarray(0, 2), ...values, map.subarray(2)])
}

async function repacked(bare: Uint8Array): Promise<Uint8Array> {
  const packed = await recompressScans(bare)
  const isSmaller = packed !== undefined && packed.length < bare.length
  return (isSmaller ? await sameAs(packed, bare) : undefined) ?? bare
}

/** Turns, cuts and scales a map as the picture was, and encodes it. */
async function encodeMap(bare: Uint8Array, { orientation, part, scale }: GainMapView): Promise<Uint8Array> {
  const opened = await upright(sharp(bare), orientation)
  const { width, height, channels } = await opened.metadata()
  const cut = part === undefined ? { left: 0, top: 0, width, height } : cutOf({ width, height }, part)
  const size = {
    width: Math.max(1, Math.round(cut.width * scale)),
    height: Math.max(1, Math.round(cut.height * scale)),
  }
  const fitted = opened.extract(cut).resize({ ...size, fit: 'fill', kernel: 'mitchell' })
  return (channels === 1 ? fitted.toColourspace('b-w') : fitted)
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer()
}

function cutOf({ width, height }: Size, part: NonNullable<GainMapView['part']>): Rectangle {
  const left = Math.min(width - 1, Math.round(part.left * width))
  const top = Math.min(height - 1, Math.round(part.top * height))
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(part.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(part.height * height))),
  }
}

/** Bytes of the list of two pictures: its prefix, header, directory of three entries, and the list itself. */
const LIST_BYTES = 4 + 8 + 2 + 3 * 12 + 4 + 2 * 16

/**
 * Returns a JPEG with a gain map behind it. Readers find the map by the multi-picture format, and its kind by its own
 * header.
 */
export function withGainMap(jpeg: Uint8Array, map: Uint8Array): Uint8Array {
  const header = [...segments(map)].filter((segment) => isMapValues(map, segment))
  const isIso = header.some(({ marker }) => marker === APP2)
  const isXmp = header.some(({ marker }) => marker === APP1)
  const front = endOfFront(jpeg)
  const told = [
    ...(isXmp ? [encodeSegment(APP1, concatBytes([ascii(XMP_PREFIX), ascii(directory(map.length))]))] : []),
    // The lowest version that a reader must know, and the one of the writer.
    ...(isIso ? [encodeSegment(APP2, concatBytes([ascii(ISO_PREFIX), bigEndian(0, 4)]))] : []),
  ]
  const toldBytes = told.reduce((sum, { length }) => sum + length, 0)
  const listBytes = 4 + LIST_BYTES
  const whole = jpeg.length + toldBytes + listBytes
  // Places are counted from behind the prefix of the list.
  const from = front + toldBytes + 4 + MPF_PREFIX.length
  return concatBytes([
    jpeg.subarray(0, front),
    ...told,
    encodeSegment(APP2, listOf(whole, { length: map.length, offset: whole - from })),
    jpeg.subarray(front),
    map,
  ])
}

/** Where JFIF's header and EXIF end, which have to come first. */
function endOfFront(jpeg: Uint8Array): number {
  let end = 2
  for (const segment of segments(jpeg)) {
    if (segment.marker === SOS || (segment.marker !== APP0 && segment.marker !== APP1)) break
    ;({ end } = segment)
  }
  return end
}

/** Returns an entry of a directory (TIFF 6.0 section 2). */
const entry = (tag: number, type: number, count: number, value: Uint8Array): Uint8Array =>
  concatBytes([bigEndian(tag, 2), bigEndian(type, 2), bigEndian(count, 4), value])

/** The index of the multi-picture format, with the picture and its map. */
function listOf(length: number, map: { readonly length: number; readonly offset: number }): Uint8Array {
  const [unknown, long] = [7, 4]
  const listAt = 8 + 2 + 3 * 12 + 4
  return concatBytes([
    ascii(MPF_PREFIX),
    ascii('MM\0*'),
    bigEndian(8, 4),
    bigEndian(3, 2),
    entry(0xb000, unknown, 4, ascii('0100')),
    entry(0xb001, long, 1, bigEndian(2, 4)),
    entry(0xb002, unknown, 32, bigEndian(listAt, 4)),
    bigEndian(0, 4),
    // Each has its kind (0x030000 is the picture that represents all), its length, where it begins, and that no other
    // depends on it.
    concatBytes([bigEndian(0x030000, 4), bigEndian(length, 4), bigEndian(0, 4), bigEndian(0, 4)]),
    concatBytes([bigEndian(0, 4), bigEndian(map.length, 4), bigEndian(map.offset, 4), bigEndian(0, 4)]),
  ])
}

/** XMP that tells readers of Ultra HDR 1.0 of the map. */
const directory = (length: number): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:Container="http://ns.google.com/photos/1.0/container/" ' +
  `xmlns:Item="http://ns.google.com/photos/1.0/container/item/" xmlns:hdrgm="${HDR_NAMESPACE}" hdrgm:Version="1.0">` +
  '<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource">' +
  '<Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource">' +
  `<Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${length}"/>` +
  '</rdf:li></rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>'
