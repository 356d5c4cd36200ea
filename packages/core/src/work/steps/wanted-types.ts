import { PixpressError } from '../../base/errors.ts'
import { writableCodecOf } from '../../formats/index.ts'
import { ALPHA_TYPES, ANIMATED_TYPES, IMAGE_TYPES, INPUT_ONLY, factsOf, isImageType } from '../../base/formats.ts'
import type { ImageType, InputType } from '../../base/types.ts'
import type { ResolvedOperations } from '../../operations/index.ts'
import type { Size } from '../../resample/size.ts'
import { askedChange } from './job.ts'
import type { Job } from './job.ts'

/** Facts that decide whether a type can hold an image. The size is that of one frame of the result. */
interface Shape extends Size {
  readonly animated: boolean
  readonly transparent: boolean
}

/**
 * Returns the requested types that can hold the image with its transparency and animation. If there are none and the
 * input may stay, the image is optimized in its own type.
 * @throws PixpressError `BACKGROUND_REQUIRED` or `UNSUPPORTED_OPERATION`
 */
export function wantedTypes(job: Job, image: Shape): readonly InputType[] {
  const { types: asked, orInput } = job.operations
  const mayBeOwn = isImageType(job.type) ? holds(job.type, image) : !INPUT_ONLY.has(job.type)
  const own = mayBeOwn ? [job.type] : []
  if (asked === null) return own
  const moving = asked.filter((type) => !image.animated || ANIMATED_TYPES.has(type))
  const holding = moving.filter((type) => holds(type, image))
  const able = holding.filter((type) => !image.transparent || ALPHA_TYPES.has(type))
  if (able.length > 0) return able
  // A type that is never written can only stay as it is, and not with other pixels.
  if (orInput && (!INPUT_ONLY.has(job.type) || askedChange(job) === undefined)) return own
  const { file } = job
  if (moving.length === 0) {
    const others = IMAGE_TYPES.filter((type) => ANIMATED_TYPES.has(type))
    const message = `An animation cannot become ${asked.join(' or ')}; ${others.join(' or ')} can carry it.`
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
  if (holding.length === 0) {
    const bounds = moving.map((type) => `${factsOf(type).label} ${boundOf(type)}`).join(', ')
    const message = `The image would have ${image.width}×${image.height} pixels, and the types asked for hold fewer: ${bounds}.`
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
  throw new PixpressError(
    'BACKGROUND_REQUIRED',
    `The image has transparency and ${holding.join(' or ')} has none: give 'transform.background' to flatten it.`,
    { file },
  )
}

/**
 * Returns `true` if only the forms are to be made that can be expected to be the smallest: one of several types is
 * wanted, AVIF among them, and nothing but the quality bounds its result.
 */
export function isSmallestWanted({ types, effort, lossless, encoder, maxBytes }: ResolvedOperations): boolean {
  const isFree = effort !== 'max' && lossless !== true && encoder === null && maxBytes === null
  return isFree && types !== null && types.length > 1 && types.includes('image/avif')
}

function holds(type: ImageType, { width, height }: Size): boolean {
  const { mostPixels = Infinity, mostSide = Infinity } = writableCodecOf(type)
  return width * height <= mostPixels && Math.max(width, height) <= mostSide
}

/** Describes the limits of a type for a person. */
function boundOf(type: ImageType): string {
  const { mostPixels, mostSide } = writableCodecOf(type)
  return [
    ...(mostSide === undefined ? [] : [`up to ${mostSide} on each side`]),
    ...(mostPixels === undefined ? [] : [`up to ${mostPixels} in all`]),
  ].join(' and ')
}
