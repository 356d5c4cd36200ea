import { IMAGE_TYPES } from '@pixpress/core'
import type { ImageType, InputType, Operations } from '@pixpress/core'
import { EVERYWHERE_TYPES, INPUT_ONLY, factsOf, isImageType } from '@pixpress/core/internal'
import type { DeliveryRequest } from './operations.ts'

/** Types that not every client shows: JPEG XL, AVIF, WebP. */
const OFFERED: readonly ImageType[] = IMAGE_TYPES.filter((type) => !EVERYWHERE_TYPES.has(type))

/** Types that everybody shows: a client that does not name the type of the original gets the smaller of these. */
const EVERYWHERE: readonly ImageType[] = IMAGE_TYPES.filter((type) => EVERYWHERE_TYPES.has(type))

/**
 * Returns the types beyond those of everywhere that a client says it shows. Only names count: every client says
 * `image/*` or an asterisk, also those that know none of them. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 * @returns in the order of `IMAGE_TYPES`, so that clients that show the same share the same result
 */
export function acceptedTypes(accept: string | undefined): readonly ImageType[] {
  if (accept === undefined) return []
  const named = new Set(
    accept
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/.test(part))
      .map((part) => part.split(';', 1)[0]!.trim()),
  )
  return OFFERED.filter((type) => named.has(type))
}

/**
 * Adds the types that a result may have, of which the smallest wins: those that the client accepts beside the source's
 * own, or beside JPEG and PNG where it does not show that, or where that is never written.
 */
export function negotiated(
  { operations, type }: Pick<DeliveryRequest, 'operations' | 'type'>,
  own: InputType,
  accepted: readonly ImageType[],
): Operations {
  if (type !== 'auto') return operations
  // A GIF may move, and can become another type; no other type can become a GIF.
  if (!isImageType(own) && !INPUT_ONLY.has(own)) {
    const moving = accepted.filter((each) => factsOf(each).animation)
    return moving.length === 0 ? operations : { ...operations, convert: { type: moving } }
  }
  const isShown = isImageType(own) && (EVERYWHERE_TYPES.has(own) || (accepted as readonly string[]).includes(own))
  if (isShown && accepted.every((each) => each === own)) return operations
  return { ...operations, convert: { type: [...new Set([...accepted, ...(isShown ? [own] : EVERYWHERE)])] } }
}
