import { AUTO } from './convert.ts'
import type { AutoConvert, ConvertOptions } from './convert.ts'
import * as LIST from './list.ts'
import type { AdjustablePixels } from './adjustment.ts'
import type { FlagTexts, Operation, OperationDirective, RasterBounds } from './row.ts'
import type { ResizedRaster } from '../crop/resize-raster.ts'
import type { Raster } from '../resample/raster.ts'
import type { Flags } from '../options/flags.ts'
import { plainObject } from '../options/parsers.ts'
import type { Together } from '../options/row.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'

type List = typeof LIST
type MembersOf<Listed> = Listed extends { readonly members?: infer Members } ? NonNullable<Members> : never
type Each = MembersOf<List[keyof List]>

/** The operations on an image, in the vocabulary of the remote interface. Everything is optional: `{}` compresses. */
export interface Operations extends Together<Each['given']> {}

/** Operations after validation: canonical, complete, equal for equal meaning. Their JSON is part of the cache key. */
export interface ResolvedOperations extends Together<Each['resolved']> {}

/** The directives of operations by their words, with what a preset may hold for them. */
export interface OperationDirectives extends Together<Each['directive']> {}

/** An operation as seen by code that is written for all of them. */
type Row = Operation<object, unknown, ResolvedOperations>

/** A row that is listed under another name than its member's does not compile here. */
const CHECKED: { readonly [Key in keyof Operations]-?: { readonly place: number } } = LIST

const ROWS = (Object.entries(CHECKED) as unknown as [keyof Operations, Row][]).sort(([, a], [, b]) => a.place - b.place)

/** The operations in the order of the pipeline, on which cache keys depend. */
export const OPERATIONS: { readonly [Key in keyof Operations]-?: List[Key] } = Object.fromEntries(ROWS) as never

/**
 * Validates operations and brings them into their canonical form.
 * @throws PixpressError `INVALID_OPTION`: names the key, what is allowed, and what came.
 */
export function resolveOperations(operations: Operations = {}): ResolvedOperations {
  const given = plainObject('operations', operations)
  refuseUnknownKeys('', given, Object.keys(OPERATIONS))
  const parts = ROWS.map(([key, { parser, resolved }]) =>
    resolved(given[key] === undefined ? undefined : parser.parse(given[key], key)),
  )
  return Object.assign({}, ...parts) as ResolvedOperations
}

/** The operations of a project: `convert` may be a word there that one image alone has no meaning for. */
export type ProjectOperations = Omit<Operations, 'convert'> & { convert?: ConvertOptions | AutoConvert | false }

const isLeft = (key: string, value: unknown): boolean => key === 'convert' && (value === AUTO || value === false)

/** Returns the operations among options. `convert: 'auto'` is none: it depends on the browsers of the project. */
export function operationsOf(options: ProjectOperations): Operations {
  const given = ROWS.flatMap(([key]) =>
    options[key] === undefined || isLeft(key, options[key]) ? [] : [[key, options[key]] as const],
  )
  return Object.fromEntries(given)
}

/** The flags of operations, in the order of the help. */
export const OPERATION_FLAGS: Flags = Object.assign({}, ...ROWS.map(([, { flags }]) => flags)) as Flags

/** Returns the operations that flags ask for, not checked as a whole: `resolveOperations` says what is wrong. */
export function operationsFromFlags(texts: FlagTexts): Operations {
  return operationsOf(Object.fromEntries(ROWS.map(([key, { fromFlags }]) => [key, fromFlags?.(texts)])))
}

/** The directives that mean an operation, each with the operation's key. */
export const OPERATION_DIRECTIVES: readonly (OperationDirective<unknown> & { readonly key: keyof Operations })[] =
  ROWS.flatMap(([key, { directive }]) => (directive === undefined ? [] : [{ ...directive, key }]))

/**
 * Returns what is asked for of the operations that are applied on a source's raster, or on 8-bit pixels: where it is
 * equal, what they make of the same picture is equal.
 */
export function askedOf(kind: 'raster' | 'pixels', operations: ResolvedOperations): readonly unknown[] {
  return ROWS.flatMap(([, { apply }]) =>
    apply !== undefined && kind in apply ? [apply.asked(operations) ?? null] : [],
  )
}

/**
 * Applies the operations on the raster of a source, in the order of the pipeline. The very raster that was given comes
 * back where they change nothing.
 * @throws PixpressError `INPUT_TOO_LARGE` for a result beyond the bounds
 */
export async function applyToRaster(
  raster: Raster,
  operations: ResolvedOperations,
  bounds: RasterBounds,
): Promise<ResizedRaster> {
  let applied: ResizedRaster = { raster, crop: undefined }
  for (const [, { apply }] of ROWS) {
    if (apply === undefined || !('raster' in apply) || (apply.asked(operations) ?? null) === null) continue
    const { raster: made, crop } = await apply.raster(applied.raster, operations, bounds)
    applied = { raster: made, crop: crop ?? applied.crop }
  }
  return applied
}

/** Applies the operations on 8-bit pixels, in the order of the pipeline. */
export async function applyToPixels(
  pixels: AdjustablePixels,
  operations: ResolvedOperations,
  space: 'srgb' | 'display-p3',
): Promise<AdjustablePixels> {
  let applied = pixels
  for (const [, { apply }] of ROWS) {
    if (apply === undefined || !('pixels' in apply) || (apply.asked(operations) ?? null) === null) continue
    applied = await apply.pixels(applied, operations, space)
  }
  return applied
}
