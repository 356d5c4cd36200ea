import { PixpressError } from '../../errors.ts'
import { firstLine } from '../../probe.ts'
import type { Effort } from '../../types.ts'
import { JXL_EFFORT_5 } from '../curves.ts'
import type { Candidate } from '../job.ts'
import { encodeJxl } from '../jxl/codec.ts'
import type { JxlPixels, JxlSettings } from '../jxl/codec.ts'
import { readJxlHeader } from '../jxl/header.ts'
import { MOST_ENCODED_PIXELS } from '../jxl/limits.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Encoder } from './encoder.ts'
import { WINDOWS } from './encoder.ts'

/** Effort 7 takes half again the time of effort 5 for 2 bytes in a hundred: by default where time is short anyway. */
const SMALL_PICTURE = 1_000_000

/** libjxl's effort of every encode. Beyond 7 each step takes several times as long for hardly a byte less. */
function libjxlEffort(effort: Effort, pixels: number): 3 | 5 | 7 {
  if (effort === 'fast') return 3
  return effort === 'max' || pixels <= SMALL_PICTURE ? 7 : 5
}

/** Encodes after which a search in little time takes what keeps the promise. */
const FEW_PROBES = 3

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/**
 * Lossless where the picture is a graphic, and lossy by search. Efforts 5 and 7 score within half a point of each other
 * at the same setting, so the search runs at the final effort itself; lower efforts are off by up to nine points, either
 * way, and would mislead one that ends with another. Gives no candidate for a picture that is too large for the encoder's
 * memory.
 */
export const encodeJpegXl: Encoder = async ({
  picture,
  scorer,
  target,
  effort: wanted,
  source,
  mostBytes = Infinity,
}) => {
  const size = picture.width * picture.height
  if (size > MOST_ENCODED_PIXELS) return []
  // The encoder writes sRGB alone: a file of more colours keeps them by staying as it is.
  if (source !== undefined && readJxlHeader(source)?.wide) return []
  const effort = libjxlEffort(wanted, size)
  const pixels = await withAlpha(picture)
  const lossless = async (): Promise<Candidate> => ({
    data: await encode(withoutHiddenColours(pixels), { effort, quality: 'lossless' }),
    type: 'image/jxl',
    score: 100,
  })
  const candidates = picture.graphic ? [await lossless()] : []
  const bytes = candidates[0]?.data.length ?? Infinity
  if (bytes < size * HARDLY_ANYTHING) return candidates
  const found = await searchQuality({
    target,
    window: WINDOWS[wanted],
    patience: wanted === 'fast' ? FEW_PROBES : undefined,
    min: 5,
    max: 99,
    curve: JXL_EFFORT_5,
    mostBytes: Math.min(mostBytes, bytes),
    encode: (quality) => encode(pixels, { effort, quality }),
    score: (data) => scorer.score(data),
  })
  if (found.tooLarge) return candidates
  candidates.push({ data: found.data, type: 'image/jxl', score: found.score })
  if (found.score < target && !picture.graphic) candidates.push(await lossless())
  return candidates
}

async function encode(pixels: JxlPixels, settings: JxlSettings): Promise<Uint8Array> {
  try {
    return await encodeJxl(pixels, settings)
  } catch (error) {
    throw new PixpressError('ENCODE_FAILED', `The JPEG XL encoder failed: ${firstLine(error)}.`, { cause: error })
  }
}

async function withAlpha(picture: Picture): Promise<JxlPixels> {
  const data =
    picture.channels === 4 ? picture.data : await fromPicture(picture).ensureAlpha().raw({ depth: 'uchar' }).toBuffer()
  return { data, width: picture.width, height: picture.height }
}

/** Nobody sees the colours of transparent pixels; lossless coding would keep them. */
function withoutHiddenColours({ data, width, height }: JxlPixels): JxlPixels {
  const seen = data.slice()
  for (let at = 0; at < seen.length; at += 4) if (seen[at + 3] === 0) seen.fill(0, at, at + 3)
  return { data: seen, width, height }
}
