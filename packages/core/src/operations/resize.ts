import type { Operation } from './row.ts'
import { invalidOption } from '../base/errors.ts'
import { ASPECT } from './aspect.ts'
import type { Aspect } from './aspect.ts'
import { COLOUR } from './colour.ts'
import type { Colour } from './colour.ts'
import { wholeNumber } from '../options/flags.ts'
import type { Flags } from '../options/flags.ts'
import { FLAG, code, oneOf, record, whole } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { POSITION } from './position.ts'
import type { Position } from './position.ts'
import type { ResolvedResize } from '../base/resize.ts'
import { INTERFACE_METHODS, KERNELS, RESIZE_METHODS } from '../base/values.ts'
import type { Kernel } from '../base/values.ts'

/**
 * A resize in the words of the remote interface. `scale` takes exactly one dimension; `fit` stays inside both; `cover`
 * crops to exactly both; `thumb` is `cover` that keeps free-standing objects whole. Dimensions are pixels, whole
 * numbers of at least 1. Nothing is ever scaled up.
 */
export type InterfaceResize =
  | { method: 'scale'; width: number; height?: never }
  | { method: 'scale'; height: number; width?: never }
  | { method: 'fit' | 'cover' | 'thumb'; width: number; height: number }

/** Members of every resize: the resampling, and whether the picture may grow or shrink. */
export interface Scaling {
  /**
   * sharp's kernel, on samples as they are stored. Default: averages of light, which keep the brightness of fine
   * patterns.
   */
  kernel?: Kernel
  /** May make a picture larger. Default `false`. */
  enlarge?: boolean
  /** `false` leaves a picture in its size where it would become smaller. Default `true`. */
  reduce?: boolean
}

/** Where a picture is cropped (`cover`), or where it stands on a larger background (`contain`). */
export interface Placing {
  /**
   * The part that stays. Default with `cover`: the most striking part; with `contain`: the centre. Not allowed with
   * `thumb`.
   */
  position?: Position
  /** The colour around the picture with `contain`. Default: transparent where the picture is, else black. */
  background?: Colour
}

/**
 * To the interface's methods come `contain`, which shows the whole picture on a background of exactly both dimensions,
 * and `fill`, which stretches it. In place of one dimension, or of both, `aspect` may stand: `16:9`, or width divided
 * by height.
 */
export type ResizeOptions = Scaling &
  (
    | { method: 'scale'; width: number; height?: never }
    | { method: 'scale'; height: number; width?: never }
    | ({ method: 'fit' | 'cover' | 'thumb' | 'contain' | 'fill'; width: number; height: number } & Placing)
    | ({ method: 'cover' | 'contain' | 'fill'; aspect: Aspect; width?: number; height?: number } & Placing)
  )

const METHOD = oneOf(RESIZE_METHODS)

const SIZE = { width: whole(1), height: whole(1) }

const MEMBERS = record({
  method: METHOD,
  ...SIZE,
  aspect: ASPECT,
  position: POSITION,
  background: COLOUR,
  kernel: oneOf(KERNELS),
  enlarge: FLAG,
  reduce: FLAG,
})

const INTERFACE_MEMBERS = record({ method: oneOf(INTERFACE_METHODS), ...SIZE })

/** Parses the resizes that a service of the remote interface takes. */
export const INTERFACE_RESIZE: Parser<InterfaceResize> = {
  schema: { ...INTERFACE_MEMBERS.schema, required: ['method'] },
  parse: (value, option) => {
    const { method, ...size } = INTERFACE_MEMBERS.parse(value, option)
    return checked(method, size, option, value) as InterfaceResize
  },
}

/** Parses `resize`. */
export const RESIZE: Parser<ResolvedResize> = {
  schema: { ...MEMBERS.schema, required: ['method'] },
  parse(value, option) {
    const { method: given, width, height, aspect, ...others } = MEMBERS.parse(value, option)
    const size = {
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(aspect !== undefined && (width === undefined || height === undefined) && { aspect }),
    }
    const resize = checked(METHOD.parse(given, `${option}.method`), size, option, value)
    return { ...resize, ...placing(resize.method, others, option), ...scaling(others) }
  },
}

interface Size {
  readonly width?: number
  readonly height?: number
  readonly aspect?: number
}

function checked(
  method: ResolvedResize['method'] | undefined,
  size: Size,
  option: string,
  value: unknown,
): ResolvedResize {
  const chosen = METHOD.parse(method, `${option}.method`)
  const { width, height, aspect } = size
  if (chosen === 'scale') {
    if ((width === undefined) !== (height === undefined) && aspect === undefined) return { method: chosen, ...size }
    throw invalidOption(option, "exactly one of 'width' and 'height' with method 'scale'", value)
  }
  if (aspect !== undefined && (chosen === 'fit' || chosen === 'thumb')) {
    throw invalidOption(`${option}.aspect`, "method 'cover', 'contain' or 'fill' beside it", chosen)
  }
  if (aspect === undefined && (width === undefined || height === undefined)) {
    throw invalidOption(option, `both 'width' and 'height' with method '${chosen}'`, value)
  }
  return { method: chosen, ...size }
}

type Others = Omit<ReturnType<typeof MEMBERS.parse>, 'method' | 'width' | 'height' | 'aspect'>

function placing(
  method: ResolvedResize['method'],
  { position, background }: Others,
  option: string,
): Pick<ResolvedResize, 'position' | 'background'> {
  if (position !== undefined && method !== 'cover' && method !== 'contain') {
    throw invalidOption(`${option}.position`, "method 'cover' or 'contain' beside it", method)
  }
  if (background !== undefined && method !== 'contain') {
    throw invalidOption(`${option}.background`, "method 'contain' beside it", method)
  }
  if (method === 'contain' && typeof position === 'string') {
    throw invalidOption(`${option}.position`, "a point or a side with method 'contain'", position)
  }
  return { ...(position !== undefined && { position }), ...(background !== undefined && { background }) }
}

function scaling({ kernel, enlarge, reduce }: Others): Pick<ResolvedResize, 'kernel' | 'enlarge' | 'reduce'> {
  return {
    ...(kernel !== undefined && { kernel }),
    ...(enlarge === true && { enlarge }),
    ...(reduce === false && { reduce }),
  }
}

/** Tells whether a service of the remote interface understands a resize. */
export function isInterfaceResize(resize: ResolvedResize | null): boolean {
  if (resize === null) return true
  const isKnown = (INTERFACE_METHODS as readonly string[]).includes(resize.method)
  return isKnown && Object.keys(resize).every((key) => ['method', 'width', 'height'].includes(key))
}

/** The flags of `resize`. */
const RESIZE_FLAGS: Flags = {
  resize: {
    value: 'METHOD',
    description: `${code(RESIZE_METHODS)}, with \`--width\` and \`--height\``,
    choices: RESIZE_METHODS,
  },
  width: { value: 'PIXELS', description: 'without `--resize`: scales to this width. Nothing is ever scaled up' },
  height: { value: 'PIXELS', description: 'without `--resize`: scales to this height; with both, fits inside' },
  aspect: {
    value: 'RATIO',
    description: 'crops to this aspect ratio: `16:9`, `1.5`; with one of the two or with none',
  },
  position: {
    value: 'WHERE',
    description: 'what cropping keeps: a point `0.3,0.6`, a side such as `top`, `entropy` or `attention`',
  },
  kernel: {
    value: 'KERNEL',
    description: `how pixels are resampled: ${code(KERNELS)}`,
    choices: KERNELS,
  },
  enlarge: { description: 'lets pictures become larger' },
  'no-reduce': { description: 'leaves pictures in their size that would become smaller' },
}

/** The texts of the flags of a resize, by their names. */
type ResizeTexts = Readonly<Record<string, string | undefined>>

/**
 * Returns the option that the flags of a resize come to, not checked as a whole. One side alone scales; both keep the
 * picture inside of them; a position or an aspect ratio crops.
 */
export function resizeFromFlags(flags: ResizeTexts): ResizeOptions | undefined {
  const method = flags['resize']
  const width = wholeNumber('width', flags['width'])
  const height = wholeNumber('height', flags['height'])
  const { position, aspect, kernel } = flags
  const enlarge = flags['enlarge'] !== undefined
  const reduces = flags['no-reduce'] === undefined
  if ([method, width, height, position, aspect, kernel].every((each) => each === undefined) && !enlarge && reduces)
    return undefined
  const crops = position !== undefined || aspect !== undefined
  const implied = crops ? 'cover' : width === undefined || height === undefined ? 'scale' : 'fit'
  return {
    method: method ?? implied,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(aspect !== undefined && { aspect }),
    ...(position !== undefined && { position: pointOrWord(position) }),
    ...(kernel !== undefined && { kernel }),
    ...(enlarge && { enlarge }),
    ...(!reduces && { reduce: false }),
  } as ResizeOptions
}

/** Reads `0.3,0.6` as a point; leaves any other text as it is, for the check. */
function pointOrWord(text: string): unknown {
  const shares = text.split(',').map(Number)
  return shares.length === 2 && shares.every((share) => Number.isFinite(share)) ? shares : text
}

interface ResizeOperation {
  /** Default: the size stays. Nothing is scaled up without `enlarge`. */
  resize?: ResizeOptions
}

interface ResolvedResizeOperation {
  readonly resize: ResolvedResize | null
}

/** Resizes and crops a picture. */
export const resize: Operation<ResizeOperation, ResolvedResize, ResolvedResizeOperation> = {
  place: 1,
  parser: RESIZE,
  resolved: (given) => ({ resize: given ?? null }),
  shownDefault: 'the size stays',
  doc: "`{ method: 'scale', width }` or `{ method: 'scale', height }`; `{ method: 'fit' | 'cover' | 'thumb' | 'contain' | 'fill', width, height }`. Nothing is scaled up without `enlarge: true`. [More of its members](cropping.md#where-and-how): `position`, `aspect`, `background`, `kernel`, `reduce`",
  flags: RESIZE_FLAGS,
  fromFlags: resizeFromFlags,
  apply: {
    asked: (operations) => operations.resize,
    async raster(raster, operations, { maxPixels, file }) {
      const { resizeRaster } = await import('../crop/resize-raster.ts')
      return resizeRaster(raster, operations.resize, maxPixels, file)
    },
  },
}
