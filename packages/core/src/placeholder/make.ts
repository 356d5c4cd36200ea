import type { Picture } from '../encoding/picture.ts'
import { shrinkRaster } from '../resample/shrink.ts'
import type { Size } from '../resample/size.ts'
import { toBytes } from '../resample/transfer.ts'
import { decodeBlurHash, encodeBlurHash } from './blurhash.ts'
import { toPixelUrl, toTinyUrl } from './data-url.ts'
import { dominantColour } from './dominant-colour.ts'
import type { Placeholder, PlaceholderKind } from './kinds.ts'
import { samplesOf } from './samples.ts'
import type { Samples } from './samples.ts'
import { decodeThumbHash, encodeThumbHash } from './thumbhash.ts'

/** Makes the `data:` URL, and what else one way gives. */
const MAKERS: Readonly<
  Record<PlaceholderKind, (samples: Samples, color: string) => Promise<Pick<Placeholder, 'url' | 'hash'>>>
> = {
  async thumbhash(samples) {
    const hash = encodeThumbHash(samples)
    const url = await toTinyUrl(samples, (size) => decodeThumbHash(hash, size))
    return { url, hash: Buffer.from(hash).toString('base64') }
  },
  async blurhash(samples) {
    const hash = encodeBlurHash(samples)
    return { url: await toTinyUrl(samples, (size) => decodeBlurHash(hash, size)), hash }
  },
  blur: async (samples) => ({ url: await toTinyUrl(samples, (size) => shrunk(samples, size)) }),
  color: async (_, color) => {
    const [red, green, blue, alpha = 255] = [1, 3, 5, 7]
      .filter((at) => at < color.length)
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    return { url: await toPixelUrl([red!, green!, blue!, alpha]) }
  },
}

/** Makes the placeholder of a picture: the same bytes for the same pixels. */
export async function makePlaceholder(
  picture: Pick<Picture, 'data' | 'width' | 'height' | 'channels' | 'space'>,
  kind: PlaceholderKind,
): Promise<Placeholder> {
  const samples = samplesOf(picture)
  const color = dominantColour(samples)
  return { kind, color, ...(await MAKERS[kind](samples, color)) }
}

function shrunk({ data, width, height }: Samples, size: Size): Uint8Array {
  return toBytes(shrinkRaster({ encoding: 'gamma8', data, width, height, channels: 4 }, size))
}
