import type { ImageType, InputType } from '../../base/types.ts'
import type { Candidate } from '../../encoding/request.ts'
import type { Picture } from '../../encoding/picture.ts'

/**
 * AVIF was the smallest type for all of 80 opaque photographs of at least this many pixels. In smaller ones, its
 * headers and its alpha plane weigh more than those of other types.
 */
const SMALLEST_FOR_PHOTOGRAPHS: ImageType = 'image/avif'
const LEAST_PIXELS = 128 * 128

/** Returns `true` if no other type can be smaller than the candidates. */
export function hasSmallest(
  { graphic, channels, width, height }: Picture,
  candidates: readonly Candidate[],
  score: number,
): boolean {
  if (graphic || channels === 4 || width * height < LEAST_PIXELS) return false
  return candidates.some((each) => each.type === SMALLEST_FOR_PHOTOGRAPHS && each.score >= score)
}

/**
 * Orders the types: AVIF comes first for a photograph and last for a drawing, because palettes are found quickly and
 * are mostly smaller.
 */
export function typesInOrder(types: readonly InputType[], { graphic }: Picture): readonly InputType[] {
  const first = types.filter((type) => (type === SMALLEST_FOR_PHOTOGRAPHS) !== graphic)
  return [...first, ...types.filter((type) => !first.includes(type))]
}
