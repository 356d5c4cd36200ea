/**
 * Colours that an AVIF stores multiplied by its alpha. libheif hands them out as they are. Sources: AV1 Image File
 * Format, section 4.1; ISO/IEC 23000-22 section 7.3.5.2 (`prem`).
 */
import { uint16, uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Raster } from '../../resample/raster.ts'
import { WHITE } from '../../resample/transfer.ts'
import { parseAvif } from './metadata-items.ts'
import { primaryItem } from './metadata-write.ts'

/** Returns the same pixels with colours that are not multiplied by alpha. */
export function withPlainColours(raster: Raster, source: Uint8Array): Raster {
  return raster.channels === 4 && isPremultiplied(source) ? divided(raster) : raster
}

/**
 * Tells whether the colours of the primary item are multiplied by its alpha: a reference of type `prem` leads from it.
 */
export function isPremultiplied(source: Uint8Array): boolean {
  const file = parseAvif(source)
  const primary = file && primaryItem(source, file)
  const references = file?.children.find(({ type }) => type === 'iref')
  if (primary === undefined || references === undefined) return false
  const idOf = source[references.content] === 0 ? uint16 : uint32
  return parseBoxes(source, references.content + 4, references.end).some(
    ({ type, content }) => type === 'prem' && idOf(source, content) === primary,
  )
}

function divided(raster: Raster): Raster {
  const data = raster.data.slice()
  const top = raster.encoding === 'gamma8' ? 255 : WHITE
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = alpha === 0 ? 0 : Math.min(top, Math.round((data[channel]! * top) / alpha))
    }
  }
  return { ...raster, data } as Raster
}
