import type { InputType } from '../base/types.ts'
import { avif } from './avif/index.ts'
import { bmp } from './bmp/index.ts'
import type { Codec, CodecFor, WritableCodec } from '../encoding/codec.ts'
import type { FormatName, ImageType } from '../base/format-names.ts'
import { gif } from './gif/index.ts'
import { heic } from './heic/index.ts'
import { jpeg } from './jpeg/index.ts'
import { jxl } from './jxl/index.ts'
import { formatOf } from '../base/formats.ts'
import { png } from './png/index.ts'
import { svg } from './svg/index.ts'
import { tiff } from './tiff/index.ts'
import { webp } from './webp/index.ts'

/**
 * The codec of every format. A format without one does not compile, nor does a codec that lacks what its facts promise.
 */
const CODECS: { readonly [Name in FormatName]: CodecFor<Name> } = {
  avif,
  bmp,
  gif,
  heic,
  jpeg,
  jxl,
  png,
  svg,
  tiff,
  webp,
}

/** Returns the codec of a type that can be read. */
export function codecOf(type: InputType): Codec {
  return CODECS[formatOf(type)]
}

/** Returns the codec of a type that can be written. */
export function writableCodecOf(type: ImageType): WritableCodec {
  return CODECS[formatOf(type)]
}

/** Lets go of the memory that codecs hold after a large picture. */
export function releaseCodecs(): void {
  for (const codec of Object.values<Codec>(CODECS)) codec.release?.()
}
