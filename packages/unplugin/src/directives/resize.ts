import { PixpressError } from '@pixpress/core'
import { ASPECT, positionFromText } from '@pixpress/core/internal'
import type { Colour, Position, ResizeMethod, ResizeOptions } from '@pixpress/core'
import type { Alternatives, Combination } from './combination.ts'
import type { Dimensions, DirectiveSource } from './rows.ts'
import type { Fit } from './vocabulary.ts'

/** How a combination is read besides its own words. */
export interface ResizeContext {
  /**
   * Sizes are brought down to the source's as in imagetools, `fit=cover` keeps the centre, and sharp's kernel scales.
   */
  readonly compat?: boolean
  /** Holds what `contain` pads with. */
  readonly background?: Colour
}

/**
 * Refuses directives that contradict each other whatever else is given.
 * @param prefix what to put before a directive's name in a message.
 * @throws PixpressError `INVALID_OPTION`
 */
export function checkResize({ w, h, fit, method }: Combination, prefix: string = ''): void {
  if (fit !== undefined && method !== undefined) {
    throw refused(prefix, `'fit=${fit}' and 'method=${method}' each say how the image is cut. Keep one of them.`)
  }
  if (method === 'scale' && w !== undefined && h !== undefined) {
    const said = "'method=scale' keeps the proportions, so 'w' and 'h' cannot both hold."
    throw refused(prefix, `${said} Keep one of them, or write 'method=fit', 'method=cover' or 'method=thumb'.`)
  }
}

/** Tells whether a combination says anything of the size. @param compat `fit` alone says nothing, as in imagetools */
export function asksForSize({ w, h, fit, method, aspect }: Combination, compat: boolean = false): boolean {
  return [w, h, compat ? undefined : fit, method, aspect].some((each) => each !== undefined)
}

const atMost = (sizes: readonly number[], most: number): readonly number[] =>
  most === 0 ? sizes : [...new Set(sizes.map((size) => Math.min(size, most)))]

/**
 * The sizes that are asked for, none above the source's and none twice: imagetools does that before it combines them.
 */
export function withinSource(alternatives: Alternatives, { width, height }: Dimensions): Alternatives {
  const { w, h, allowUpscale, withoutReduction } = alternatives
  if (allowUpscale?.includes(true) === true || withoutReduction?.includes(true) === true) return alternatives
  return { ...alternatives, ...(w && { w: atMost(w, width) }), ...(h && { h: atMost(h, height) }) }
}

/** Tells whether a combination crops and nothing says what to keep: then it is the centre, as in imagetools. */
export function cropsCentre({ w, h, fit, method, aspect, position }: Combination, { focus }: DirectiveSource): boolean {
  const crops = (w !== undefined && h !== undefined) || aspect !== undefined
  return crops && [fit, method, position, focus].every((each) => each === undefined)
}

/**
 * The resize that a combination asks for, brought down to the source's size where nothing may be scaled up: equal
 * results become equal options. One dimension scales; both together, or an aspect ratio, crop unless `fit` or `method`
 * says otherwise, which is imagetools' default.
 * @returns `null` when the result would have the source's own size.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveResize(
  combination: Combination,
  source: DirectiveSource,
  context: ResizeContext = {},
): ResizeOptions | null {
  checkResize(combination)
  const { w, h } = combination
  // imagetools leaves the kernel to sharp. Where a word of pixpress's own says how to scale, pixpress does.
  const isSharps = context.compat === true && combination.method === undefined
  const kernel = combination.kernel ?? (isSharps ? 'lanczos3' : undefined)
  const enlarge = combination.allowUpscale === true
  const resize = sized(combination, source, context)
  if (resize === null) return null
  const { width = source.width, height = source.height }: { width?: number; height?: number } = resize
  const isReduced = width < source.width || height < source.height
  if (combination.withoutReduction === true && isReduced) return null
  // `scale` without `enlarge` is what most requests are; keys depend on it.
  const more = { ...(kernel !== undefined && { kernel }), ...(enlarge && (w ?? h) !== undefined && { enlarge: true }) }
  return { ...resize, ...more }
}

function sized(combination: Combination, source: DirectiveSource, context: ResizeContext): ResizeOptions | null {
  const { fit, method } = combination
  const enlarge = combination.allowUpscale === true
  const box = boxOf(combination, source)
  if (box !== undefined) {
    const { compat = false } = context
    // A ratio that one given dimension would carry over the edge of the source leaves it whole there.
    const isTooLarge = !enlarge && (box.width > source.width || box.height > source.height)
    if (compat && isTooLarge && (combination.w === undefined || combination.h === undefined)) return null
    const how = fit ?? method ?? 'cover'
    return withBoth(how, box, source, { ...placing(combination, source, context), enlarge, compat })
  }
  const { w, h } = combination
  if (method !== undefined && method !== 'scale') {
    const given = w === undefined ? (h === undefined ? '' : ", and only 'h' is given") : ", and only 'w' is given"
    throw refused('', `'method=${method}' needs both 'w' and 'h'${given}. Add what is missing, or write 'aspect'.`)
  }
  // With one dimension every `fit` means the same.
  if (w !== undefined) return scale('width', w, source, enlarge)
  if (h !== undefined) return scale('height', h, source, enlarge)
  throw refused(
    '',
    fit === undefined
      ? "'method=scale' needs 'w' or 'h'. Add one of them."
      : `'fit=${fit}' needs a size. Add 'w', 'h' or 'aspect'.`,
  )
}

function refused(prefix: string, sentence: string): PixpressError {
  return new PixpressError('INVALID_OPTION', prefix === '' ? sentence : `${prefix.slice(0, -1)}: ${sentence}`)
}

/**
 * Both dimensions, where both are given or follow from an aspect ratio; of a ratio alone, the largest in the source.
 */
function boxOf({ w, h, aspect }: Combination, source: Dimensions): Dimensions | undefined {
  if (w !== undefined && h !== undefined) return { width: w, height: h }
  if (aspect === undefined) return undefined
  const ratio = ASPECT.parse(aspect, 'aspect')
  if (w !== undefined) return { width: w, height: rounded(w / ratio) }
  if (h !== undefined) return { width: rounded(h * ratio), height: h }
  return ratio > source.width / source.height
    ? { width: source.width, height: rounded(source.width / ratio) }
    : { width: rounded(source.height * ratio), height: source.height }
}

const rounded = (pixels: number): number => Math.max(1, Math.round(pixels))

interface Placed {
  readonly position: Position | undefined
  readonly background: Colour | undefined
}

/** @throws PixpressError `INVALID_OPTION` for a face that nothing tells of */
function pointOf({ position }: Combination, { face }: DirectiveSource): Position | undefined {
  return position === 'face' ? (face ?? positionFromText(position, 'position')) : position
}

function placing(combination: Combination, source: DirectiveSource, context: ResizeContext): Placed {
  const { fit, method } = combination
  const position = pointOf(combination, source)
  const isCentred = context.compat === true ? method === undefined : cropsCentre(combination, source)
  const centre = isCentred && fit !== 'contain' ? ([0.5, 0.5] as const) : undefined
  const focus = method === 'thumb' ? undefined : source.focus
  return { position: position ?? focus ?? centre, background: context.background }
}

function withBoth(
  how: Fit | ResizeMethod,
  { width, height }: Dimensions,
  source: Dimensions,
  { position, background, enlarge, compat }: Placed & { readonly enlarge: boolean; readonly compat: boolean },
): ResizeOptions | null {
  const within = {
    width: enlarge ? width : Math.min(width, source.width || width),
    height: enlarge ? height : Math.min(height, source.height || height),
  }
  const placed = position !== undefined && { position }
  switch (how) {
    case 'outside':
      // The smallest size that covers the box: the dimension that needs the larger factor decides.
      return width * source.height >= height * source.width
        ? scale('width', width, source, enlarge)
        : scale('height', height, source, enlarge)
    case 'inside':
    case 'fit':
      return unlessWhole({ method: 'fit', ...within }, source)
    case 'contain': {
      const padded = background !== undefined && { background }
      const point = typeof position === 'string' && /^(?:entropy|attention)$/.test(position) ? false : placed
      return unlessWhole({ method: 'contain', ...within, ...point, ...padded }, source)
    }
    case 'fill':
      return unlessWhole({ method: 'fill', ...within }, source)
    case 'thumb':
      // Adds background around a free-standing object, so its box may be larger than the source.
      return { method: 'thumb', width, height }
    default: {
      if (compat) return unlessWhole({ method: 'cover', ...within, ...placed }, source)
      // The largest crop of the box's proportions that the source holds.
      const factor = enlarge ? 1 : Math.min(1, (source.width || width) / width, (source.height || height) / height)
      const shrunk = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
      return unlessWhole({ method: 'cover', width: shrunk(width), height: shrunk(height), ...placed }, source)
    }
  }
}

function scale(
  dimension: 'width' | 'height',
  pixels: number,
  source: Dimensions,
  enlarge: boolean,
): ResizeOptions | null {
  const most = source[dimension]
  if (most > 0 && (enlarge ? pixels === most : pixels >= most)) return null
  return dimension === 'width' ? { method: 'scale', width: pixels } : { method: 'scale', height: pixels }
}

function unlessWhole(resize: ResizeOptions, source: Dimensions): ResizeOptions | null {
  return resize.width === source.width && resize.height === source.height ? null : resize
}
