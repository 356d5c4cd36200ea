import { invalidOption } from '@pixpress/core'
import type { DirectiveSet } from './parse.ts'
import type { ImageQuery } from './query.ts'
import type { MetadataKey } from './vocabulary.ts'

/** The shape of an import's module. With `basePixels`, pixels at density 1, descriptors are `2x` rather than `400w`. */
export type Output =
  | { readonly as: 'url' }
  | { readonly as: 'srcset' | 'img' | 'picture'; readonly basePixels?: number }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[] }

/**
 * The shape that the directives ask for; `url` unless they say otherwise, as in imagetools.
 * @param merged The preset's directives, overruled by the query's.
 * @param own The query's alone.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOutput(merged: DirectiveSet, own: DirectiveSet, query: ImageQuery): Output {
  const shape = (query.url ? own.shape : merged.shape) ?? { as: 'url' }
  if (query.url && shape.as !== 'url') throw invalidOption('as', "'url' beside the flag 'url'", shape.as)
  if (shape.as === 'url' || shape.as === 'metadata') {
    // A preset's may idle while the query asks for another shape; one in the query itself is a mistake.
    if (own.basePixels !== undefined) {
      throw invalidOption('basePixels', "'as=srcset', 'as=img' or 'as=picture' beside it", `as=${shape.as}`)
    }
    return shape
  }
  return merged.basePixels ? { as: shape.as, basePixels: merged.basePixels } : { as: shape.as }
}
