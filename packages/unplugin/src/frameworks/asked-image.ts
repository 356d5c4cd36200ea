import type { Background, ImageType, Operations, QualityTarget, ResizeOptions } from '@pixpress/core'
import { createOperations } from '../session/image-operations.ts'
import type { ResolvedOptions } from '../session/options.ts'

/** One image as a framework's own component asks for it. */
export interface AskedImage {
  /** Pixels. */
  readonly width?: number | undefined
  /** Pixels. */
  readonly height?: number | undefined
  /** How both dimensions are met: cropped to, or inside of them. Default: the width decides. */
  readonly fit?: 'cover' | 'inside' | undefined
  /** Default: the source's own. */
  readonly type?: ImageType | undefined
  /** Default: that of the options. */
  readonly quality?: QualityTarget | undefined
  /** What transparent parts are laid on. */
  readonly background?: string | undefined
}

/**
 * The operations of an image that a component asks for: those that the options have for the file, but in the type and size of the
 * component, which the page was made with.
 * @param file absolute path of the source, for `overrides`
 */
export function askedOperations(options: ResolvedOptions, file: string, asked: AskedImage): Operations {
  const { convert: _, resize: __, ...usual } = createOperations(options).usual(file)
  const { type, quality, background } = asked
  const resize = askedSize(asked)
  return {
    ...usual,
    ...(resize !== undefined && { resize }),
    ...(type !== undefined && { convert: { type } }),
    ...(quality !== undefined && { quality }),
    ...(background !== undefined && { transform: { background: background as Background } }),
  }
}

function askedSize({ width, height, fit }: AskedImage): ResizeOptions | undefined {
  if (width !== undefined && height !== undefined && fit !== undefined) {
    return { method: fit === 'cover' ? 'cover' : 'fit', width, height }
  }
  if (width !== undefined) return { method: 'scale', width }
  return height === undefined ? undefined : { method: 'scale', height }
}
