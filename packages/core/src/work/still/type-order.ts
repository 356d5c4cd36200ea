import type { ImageType, InputType } from '../../base/types.ts'
import type { Candidate } from '../../encoding/request.ts'
import type { Picture } from '../../encoding/picture.ts'
import { repeatsLittle } from '../../formats/png/photograph.ts'

/**
 * AVIF was the smallest type for all of 80 opaque photographs of at least this many pixels. In smaller ones, its
 * headers and its alpha plane weigh more than those of other types.
 */
const SMALLEST_FOR_PHOTOGRAPHS: ImageType = 'image/avif'
const LEAST_PIXELS = 128 * 128

/** The same for photographs in which hardly any pixel repeats the one before. */
export const LEAST_OF_GRAIN: number = 64 * 64

/**
 * Returns `true` for photographs that no other type makes smaller. A dark screenshot with almost as many colours as a
 * photograph took 8,539 bytes as PNG and 10,102 as AVIF: 43 % of its pixels repeat the one before.
 * @param leastPixels that such a photograph has
 */
export function isSmallestAsAvif(picture: Picture, leastPixels: number = LEAST_PIXELS): boolean {
  const { graphic, muted, fromJpeg, channels, width, height } = picture
  if (graphic || channels === 4 || width * height < leastPixels) return false
  return muted || fromJpeg === true || repeatsLittle(picture)
}

/** Returns `true` if no other type can be smaller than the candidates. */
export function hasSmallest(
  picture: Picture,
  candidates: readonly Candidate[],
  score: number,
  leastPixels?: number,
): boolean {
  if (!isSmallestAsAvif(picture, leastPixels)) return false
  return candidates.some((each) => each.type === SMALLEST_FOR_PHOTOGRAPHS && each.score >= score)
}

/**
 * Orders the types: AVIF comes first for a photograph and last for a drawing, because palettes are found quickly and
 * are mostly smaller.
 */
export function typesInOrder(types: readonly InputType[], isDrawn: boolean): readonly InputType[] {
  const first = types.filter((type) => (type === SMALLEST_FOR_PHOTOGRAPHS) !== isDrawn)
  return [...first, ...types.filter((type) => !first.includes(type))]
}

/**
 * Up to so many pixels, the own palette of an icon is made first. Its bytes then bound the ways of WebP that take long.
 */
const ICON_PIXELS = 20_000

/**
 * Returns the types that may be smallest for a drawing, in their order. JPEG is not among them unless it is the own
 * type.
 */
export function typesForDrawing(
  types: readonly InputType[],
  own: InputType | undefined,
  { width, height }: Picture,
): readonly InputType[] {
  const isListed = types.includes(SMALLEST_FOR_PHOTOGRAPHS)
  const last = isListed ? [SMALLEST_FOR_PHOTOGRAPHS] : []
  const others = types.filter((type) => type !== own && type !== 'image/jpeg' && type !== SMALLEST_FOR_PHOTOGRAPHS)
  if (own === undefined) return [...others, ...last]
  return width * height <= ICON_PIXELS ? [own, ...others, ...last] : [...others, own, ...last]
}
