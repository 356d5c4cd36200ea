import { invalidOption } from '../errors.ts'
import { wholeNumber } from './flags.ts'
import { oneOf, record, whole } from './parsers.ts'
import type { Parser } from './parsers.ts'
import { RESIZE_METHODS } from './values.ts'

/**
 * `scale` takes exactly one dimension; `fit` stays inside both; `cover` crops to exactly both; `thumb` is `cover` that
 * keeps free-standing objects whole. Dimensions are pixels, whole numbers of at least 1. Nothing is ever scaled up.
 */
export type ResizeOptions =
  | { method: 'scale'; width: number; height?: never }
  | { method: 'scale'; height: number; width?: never }
  | { method: 'fit' | 'cover' | 'thumb'; width: number; height: number }

const METHOD = oneOf(RESIZE_METHODS)

const MEMBERS = record({ method: METHOD, width: whole(1), height: whole(1) })

export const RESIZE: Parser<ResizeOptions> = {
  schema: { ...MEMBERS.schema, required: ['method'] },
  parse(value, option) {
    const { method: given, width, height } = MEMBERS.parse(value, option)
    const method = METHOD.parse(given, `${option}.method`)
    if (method === 'scale') {
      if (width !== undefined && height === undefined) return { method, width }
      if (height !== undefined && width === undefined) return { method, height }
      throw invalidOption(option, "exactly one of 'width' and 'height' with method 'scale'", value)
    }
    if (width === undefined || height === undefined) {
      throw invalidOption(option, `both 'width' and 'height' with method '${method}'`, value)
    }
    return { method, width, height }
  },
}

/**
 * The option that `--resize`, `--width` and `--height` come to, not checked as a whole. One side alone scales; both keep the
 * picture inside of them.
 */
export function resizeFromFlags(flags: Readonly<Record<string, string | undefined>>): ResizeOptions | undefined {
  const method = flags['resize']
  const width = wholeNumber('width', flags['width'])
  const height = wholeNumber('height', flags['height'])
  if (method === undefined && width === undefined && height === undefined) return undefined
  const implied = width === undefined || height === undefined ? 'scale' : 'fit'
  return {
    method: method ?? implied,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  } as ResizeOptions
}
