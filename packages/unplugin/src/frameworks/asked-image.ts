import { ALPHA_TYPES } from '@pixpress/core'
import type {
  Adjustments,
  Background,
  Colour,
  ImageType,
  Operations,
  Position,
  QualityTarget,
  ResizeOptions,
} from '@pixpress/core'
import { resolveOperations } from '@pixpress/core/internal'
import { createImageOptions } from '../session/plan/image-operations.ts'
import type { ResolvedOptions } from '../session/options/options.ts'

/** One image as a framework's own component asks for it. */
export interface AskedImage {
  /** Pixels. */
  readonly width?: number | undefined
  /** Pixels. */
  readonly height?: number | undefined
  /**
   * How both dimensions are met: cropped to, inside of them, padded to, or stretched to. Default: the width decides.
   */
  readonly fit?: 'cover' | 'inside' | 'contain' | 'fill' | undefined
  /** Holds what cropping keeps, and where `contain` puts the picture. Default: what strikes, and the centre. */
  readonly position?: Position | undefined
  /** Tells whether it may become larger. Default `false`. */
  readonly enlarge?: boolean | undefined
  /** Changes of the picture itself. */
  readonly adjust?: Omit<Adjustments, 'background'> | undefined
  /** One is a demand; of several the smallest wins. Default: the source's own. */
  readonly type?: ImageType | readonly ImageType[] | undefined
  /** Default: that of the options. */
  readonly quality?: QualityTarget | undefined
  /**
   * Holds what `contain` and a rotation leave empty is filled with; where nothing is left empty, what transparent parts
   * are laid on.
   */
  readonly background?: string | undefined
}

/**
 * The operations of an image that a component asks for: those that the options have for the file, but in the type and
 * size of the component, which the page was made with.
 * @param file absolute path of the source, for `overrides`
 */
export function askedOperations(options: ResolvedOptions, file: string, asked: AskedImage): Operations {
  const { convert: _, resize: __, ...usual } = createImageOptions(options).usual(file)
  const { type, quality, background, adjust } = asked
  const resize = askedSize(asked)
  const isTilted = (adjust?.rotate ?? 0) % 90 !== 0
  const isFilled = background !== undefined && (isTilted || resize?.method === 'contain')
  const canStay = type === undefined || [type].flat().every((each) => ALPHA_TYPES.has(each))
  return {
    ...usual,
    ...(resize !== undefined && { resize }),
    ...(adjust !== undefined && {
      adjust: { ...usual.adjust, ...adjust, ...(isTilted && isFilled && { background: background as Colour }) },
    }),
    ...(type !== undefined && { convert: { type } }),
    ...(quality !== undefined && { quality }),
    ...(background !== undefined && (!isFilled || !canStay) && { transform: { background: background as Background } }),
  }
}

/**
 * Lists the types of an image for which a component names none, besides its own: those that `convert` has for it, else
 * WebP. None if `convert` is given and has none for it.
 * @param file absolute path of the source, for `overrides`
 */
export function unaskedTypes(options: ResolvedOptions, file: string): readonly ImageType[] {
  const asked = createImageOptions(options)
  const { convert } = asked.usual(file)
  if (convert !== undefined) return resolveOperations({ convert }).types!
  return asked.convertOf(file) === undefined ? ['image/webp'] : []
}

function askedSize({ width, height, fit, position, enlarge, background }: AskedImage): ResizeOptions | undefined {
  const larger = enlarge === true && { enlarge }
  if (width !== undefined && height !== undefined && fit !== undefined) {
    const size = { width, height, ...larger }
    const placed = position !== undefined && { position }
    if (fit === 'cover') return { method: 'cover', ...size, ...placed }
    if (fit === 'inside') return { method: 'fit', ...size }
    if (fit === 'fill') return { method: 'fill', ...size }
    return {
      method: 'contain',
      ...size,
      ...placed,
      ...(background !== undefined && { background: background as Colour }),
    }
  }
  if (width !== undefined) return { method: 'scale', width, ...larger }
  return height === undefined ? undefined : { method: 'scale', height, ...larger }
}
