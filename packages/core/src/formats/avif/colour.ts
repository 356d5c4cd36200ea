/**
 * The colour description of an AVIF's primary item: a `colr` property of type `nclx`. Without it, readers take the one
 * inside the AV1 data. Sources: ISO/IEC 14496-12 section 12.1.5; ISO/IEC 23008-12 section 9.3 (`ipco`, `ipma`); ITU-T
 * H.273 tables 2 to 4.
 */
import { parseAvif } from './metadata-items.ts'
import { buildLocations, encodeBox, moveLocations, primaryItem } from './metadata-write.ts'
import { ascii, bigEndian, concatBytes, hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'
import { beyondScreens, spaceOfCodePoints } from '../../colour/code-points.ts'
import type { BeyondScreens } from '../../colour/code-points.ts'
import type { ColourSpace } from '../../colour/colour-space.ts'

/** Code points of H.273. */
const P3_PRIMARIES = 12
const SRGB_TRANSFER = 13
const BT601_MATRIX = 6
const FULL_RANGE = 0x80

/** Returns the `colr` boxes of an AVIF file's items, of type `nclx` or a profile. */
function colourBoxes(source: Uint8Array): Box[] {
  const inside = ({ content, end }: Box, name: string, skipped = 0): Box[] =>
    parseBoxes(source, content + skipped, end).filter(({ type }) => type === name)
  return parseBoxes(source, 0, source.length)
    .filter(({ type }) => type === 'meta')
    .flatMap((meta) => inside(meta, 'iprp', 4))
    .flatMap((iprp) => inside(iprp, 'ipco'))
    .flatMap((ipco) => inside(ipco, 'colr'))
    .filter(({ content, end }) => end - content >= 11)
}

/** Returns the ICC profile of an image. */
export function avifProfile(source: Uint8Array): Uint8Array | undefined {
  const isProfile = ({ content }: Box): boolean => ['prof', 'rICC'].some((kind) => hasAscii(source, content, kind))
  const found = colourBoxes(source).find(isProfile)
  return found && source.subarray(found.content + 4, found.end)
}

/** Says why an image is not converted to sRGB or Display P3 unasked; `undefined` where it is. */
export function avifBeyondScreens(source: Uint8Array): BeyondScreens | undefined {
  const nclx = colourBoxes(source).find(({ content }) => hasAscii(source, content, 'nclx'))
  return nclx && beyondScreens(uint16(source, nclx.content + 4), uint16(source, nclx.content + 6))
}

/** Returns the first `nclx` of the item properties; an ICC profile beside it counts instead. */
export function avifColourSpace(source: Uint8Array): ColourSpace | undefined {
  const profiles = colourBoxes(source)
  const nclx = profiles.find(({ content }) => hasAscii(source, content, 'nclx'))
  if (nclx === undefined || profiles.some(({ content }) => !hasAscii(source, content, 'nclx'))) return undefined
  return spaceOfCodePoints(uint16(source, nclx.content + 4), uint16(source, nclx.content + 6), 'srgb')
}

/**
 * Returns the file with the primaries of Display P3, in 20 bytes. Its data must have been made by this engine's
 * encoder: sRGB's transfer function, the colour difference of BT.601, full range. The same bytes where it has a profile
 * or is built in a way that this does not know.
 */
export function avifInDisplayP3(data: Uint8Array): Uint8Array {
  const described = colourBoxes(data)
  if (described.some(({ content }) => !hasAscii(data, content, 'nclx'))) return data
  if (described.length > 0) {
    const tagged = Uint8Array.from(data)
    for (const { content } of described) tagged.set(bigEndian(P3_PRIMARIES, 2), content + 4)
    return tagged
  }
  const file = parseAvif(data)
  const iprp = file?.children.find(({ type }) => type === 'iprp')
  const primary = file && primaryItem(data, file)
  const properties = iprp && primary !== undefined ? withColour(data, iprp, primary) : undefined
  if (file === undefined || iprp === undefined || properties === undefined) return data
  const locations = moveLocations(file, properties.length - (iprp.end - iprp.start))
  if (locations === undefined) return data
  const whole = ({ start, end }: Box): Uint8Array => data.subarray(start, end)
  const meta = encodeBox('meta', [
    data.subarray(file.meta.content, file.meta.content + 4),
    ...file.children.map((child) =>
      child === iprp ? properties : child.type === 'iloc' ? buildLocations(file.locations, locations) : whole(child),
    ),
  ])
  return concatBytes(file.boxes.map((box) => (box === file.meta ? meta : whole(box))))
}

/** Returns the item properties with one more, associated with an item. */
function withColour(data: Uint8Array, iprp: Box, item: number): Uint8Array | undefined {
  const [ipco, ipma, ...others] = parseBoxes(data, iprp.content, iprp.end)
  if (ipco?.type !== 'ipco' || ipma?.type !== 'ipma' || others.length > 0) return undefined
  const index = parseBoxes(data, ipco.content, ipco.end).length + 1
  const associations = withAssociation(data, ipma, item, index)
  if (associations === undefined) return undefined
  const colour = encodeBox('colr', [
    ascii('nclx'),
    ...[P3_PRIMARIES, SRGB_TRANSFER, BT601_MATRIX].map((code) => bigEndian(code, 2)),
    Uint8Array.of(FULL_RANGE),
  ])
  return encodeBox('iprp', [encodeBox('ipco', [data.subarray(ipco.content, ipco.end), colour]), associations])
}

function withAssociation(data: Uint8Array, ipma: Box, item: number, index: number): Uint8Array | undefined {
  const idSize = data[ipma.content] === 0 ? 2 : 4
  const size = (data[ipma.content + 3]! & 1) + 1
  if (index > (size === 1 ? 0x7f : 0x7fff)) return undefined
  const count = uint32(data, ipma.content + 4)
  let at = ipma.content + 8
  for (let entry = 0; entry < count && at + idSize < ipma.end; entry++) {
    const id = idSize === 2 ? uint16(data, at) : uint32(data, at)
    const counter = at + idSize
    const end = counter + 1 + data[counter]! * size
    if (id === item) {
      if (data[counter] === 255 || end > ipma.end) return undefined
      return encodeBox('ipma', [
        data.subarray(ipma.content, counter),
        Uint8Array.of(data[counter]! + 1),
        data.subarray(counter + 1, end),
        bigEndian(index, size),
        data.subarray(end, ipma.end),
      ])
    }
    at = end
  }
  return undefined
}
