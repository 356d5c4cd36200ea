import { PixpressError } from '../errors.ts'
import type { InputType } from '../types.ts'
import { ALPHA_TYPES, ANIMATED_TYPES } from '../values.ts'
import type { Job } from './job.ts'
import { MOST_ENCODED_PIXELS } from './jxl/limits.ts'

/**
 * The types to write, of those asked for: what the image has (transparency, animation) must survive, and the encoder
 * must be able to hold it. Where nothing is
 * left and the input may stay, its own type is optimised.
 * @throws PixpressError `BACKGROUND_REQUIRED` or `UNSUPPORTED_OPERATION`
 */
export function wantedTypes(
  job: Job,
  image: { animated: boolean; transparent: boolean; pixels: number },
): readonly InputType[] {
  const { types: asked, orInput } = job.operations
  if (asked === null) return [job.type]
  const moving = asked.filter((type) => !image.animated || ANIMATED_TYPES.has(type))
  if (moving.length === 0 && !orInput) {
    throw new PixpressError(
      'UNSUPPORTED_OPERATION',
      `An animation cannot become ${asked.join(' or ')}; image/webp can carry it.`,
      { file: job.file },
    )
  }
  const holding = moving.filter((type) => type !== 'image/jxl' || image.pixels <= MOST_ENCODED_PIXELS)
  if (holding.length === 0 && moving.length > 0 && !orInput) {
    throw new PixpressError(
      'UNSUPPORTED_OPERATION',
      `JPEG XL can be written up to ${MOST_ENCODED_PIXELS} pixels; the image would have ${image.pixels}.`,
      { file: job.file },
    )
  }
  const able = holding.filter((type) => !image.transparent || ALPHA_TYPES.has(type))
  if (able.length === 0 && holding.length > 0 && !orInput) {
    throw new PixpressError(
      'BACKGROUND_REQUIRED',
      `The image has transparency and ${holding.join(' or ')} has none: give 'transform.background' to fill it.`,
      { file: job.file },
    )
  }
  return able.length > 0 ? able : [job.type]
}
