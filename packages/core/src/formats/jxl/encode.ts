import { PixpressError, firstLine, isCodeError } from '../../base/errors.ts'
import type { Effort } from '../../base/types.ts'
import { clearTransparency, fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { raisable } from '../../encoding/raise.ts'
import { WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Candidate, Encoder } from '../../encoding/request.ts'
import { JXL_EFFORT_5 } from './curves.ts'
import { readJxlHeader } from './header.ts'
import { encodeJxl } from './libjxl.ts'
import type { JxlPixels, JxlSettings } from './libjxl.ts'
import { countEncode, encodeSettings } from '../../base/counters.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

/**
 * Pixels that libjxl can encode: it addresses 2 GiB of memory, and a pixel of noise with transparency takes 135 bytes.
 */
export const MOST_ENCODED_PIXELS = 15_000_000

/**
 * Effort 7 takes 1.5 times as long as effort 5 and saves 2 % of the bytes: the default for pictures that take little
 * time.
 */
const SMALL_PICTURE = 1_000_000

/**
 * Returns libjxl's effort for every encode. Beyond 7 each step takes several times as long and saves next to nothing.
 */
function libjxlEffort(effort: Effort, pixels: number): 3 | 5 | 7 {
  if (effort === 'fast') return 3
  return effort === 'max' || pixels <= SMALL_PICTURE ? 7 : 5
}

/** The highest lossy setting. */
const HIGHEST = 99

/** Encodes after which a search with little effort takes what keeps the promise. */
const FEW_PROBES = 3

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/**
 * Lossless where the picture is a graphic, and lossy by search. The search runs at the final effort: at the same
 * setting, lower efforts score up to nine points more or less, and would lead it to a wrong setting. No candidate for a
 * picture that is too large for the encoder's memory.
 */
export const encodeJpegXl: Encoder = async ({
  picture,
  scorer,
  target,
  effort: wanted,
  source,
  mostBytes = Infinity,
  decline,
}) => {
  const size = picture.width * picture.height
  if (size > MOST_ENCODED_PIXELS) return []
  // The encoder only writes sRGB: a file of more colours keeps them by staying as it is.
  if (source !== undefined && readJxlHeader(source)?.wide) return []
  const effort = libjxlEffort(wanted, size)
  const decoded = await withAlpha(picture)
  const cleared = { ...decoded, data: clearTransparency(decoded.data) }
  const pixels = picture.graphic ? cleared : decoded
  const lossless = async (): Promise<Candidate> => ({
    // Nobody sees the colours of transparent pixels; lossless coding would keep them.
    data: await encode(cleared, { effort, quality: 'lossless' }),
    type: 'image/jxl',
    score: 100,
  })
  const candidates = picture.graphic ? [await lossless()] : []
  const bytes = candidates[0]?.data.length ?? Infinity
  if (bytes < size * HARDLY_ANYTHING) return candidates
  const encodeAt = (quality: number): Promise<Uint8Array> => encode(pixels, { effort, quality })
  const most = Math.min(mostBytes, bytes)
  const found = await searchQuality({
    target,
    window: WINDOWS[wanted],
    patience: wanted === 'fast' ? FEW_PROBES : undefined,
    min: 5,
    max: HIGHEST,
    curve: JXL_EFFORT_5,
    mostBytes: most,
    encode: encodeAt,
    score: (data) => scorer.score(data),
  })
  if (found.tooLarge) {
    decline?.(found.estimate)
    return candidates
  }
  candidates.push(
    raisable(found, {
      picture,
      type: 'image/jxl',
      max: HIGHEST,
      curve: JXL_EFFORT_5,
      mostBytes: most,
      encode: encodeAt,
      score: (data) => scorer.score(data),
      beyond: async () => (picture.graphic ? undefined : lossless()),
    }),
  )
  if (found.score < target && !picture.graphic) candidates.push(await lossless())
  return candidates
}

async function encode(pixels: JxlPixels, settings: JxlSettings): Promise<Uint8Array> {
  if (encodeSettings.hasSubscribers) encodeSettings.publish({ formatOut: 'jxl', ...settings })
  try {
    const written = { type: 'image/jxl', pixels: pixels.width * pixels.height } as const
    return await countEncode(
      () => encodeJxl(pixels, settings),
      () => written,
    )
  } catch (error) {
    if (isCodeError(error)) throw error
    throw new PixpressError('ENCODE_FAILED', `The JPEG XL encoder failed: ${firstLine(error)}.`, { cause: error })
  }
}

async function withAlpha(picture: Picture): Promise<JxlPixels> {
  const data =
    picture.channels === 4 ? picture.data : await fromPicture(picture).ensureAlpha().raw({ depth: 'uchar' }).toBuffer()
  return { data, width: picture.width, height: picture.height }
}

/** Encodes once with the caller's own settings. */
export async function encodePlainJxl(
  picture: Picture,
  { quality, effort, lossless }: ResolvedSettings<'jxl'>,
): Promise<Uint8Array> {
  return encode(await withAlpha(picture), { effort, quality: lossless ? 'lossless' : quality })
}
