import { losslessCompressPng } from '@napi-rs/image'
import { stripMetadata } from '../../metadata/index.ts'
import type { Candidate } from '../job.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'

/** Palette sizes that are tried in turn while the promise holds; small ones need fewer bits per pixel. */
const PALETTES = [256, 128, 64, 32, 16, 8] as const

/** Floyd-Steinberg error diffusion: wins for photographs and gradients, while flat graphics are smaller without. */
const DITHERS = [0, 1] as const

/** Lossless as oxipng does it, and the smallest palette that keeps the promise. */
export const encodePng: Encoder = async (request) => {
  const candidates = [await lossless(request)]
  // Up to 256 colours, lossless has found the exact palette already.
  if (!request.picture.paletted) candidates.push(...(await palettes(request)))
  return candidates
}

/**
 * From the source's own bytes, which keeps 16 bits per channel and colour profiles; from the decoded pixels where oxipng
 * refuses the file.
 */
async function lossless({ picture, source }: EncodeRequest): Promise<Candidate> {
  const packed = source === undefined ? undefined : await repack(source, false).catch(() => undefined)
  const data =
    packed === undefined
      ? await repack(await fromPicture(picture).png({ compressionLevel: 2 }).toBuffer(), true)
      : stripMetadata(packed, 'image/png')
  return { data, type: 'image/png', score: 100 }
}

async function palettes({ picture, scorer, target }: EncodeRequest): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const dither of DITHERS) {
    let best: Candidate | undefined
    for (const colours of PALETTES) {
      const data = await quantised(picture, colours, dither)
      const score = await scorer.score(data)
      if (score < target) break
      best = { data, type: 'image/png', score }
    }
    if (best === undefined) continue
    found.push({ ...best, data: await repack(best.data, true) })
    // Dithering only pays where colours blend; a drawing that keeps the promise without it is larger with it.
    if (picture.graphic) break
  }
  return found
}

function quantised(picture: Picture, colours: number, dither: number): Promise<Buffer> {
  return fromPicture(picture).png({ palette: true, colours, dither, effort: 4, compressionLevel: 6 }).toBuffer()
}

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
async function repack(png: Uint8Array, strip: boolean): Promise<Uint8Array> {
  const packed = await losslessCompressPng(png, { strip })
  return packed.length < png.length ? packed : png
}
