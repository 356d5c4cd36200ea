import { PixpressError } from '@pixpress/core'
import { invalidOption } from '@pixpress/core/internal'
import type { ImageDetails } from '@pixpress/core'
import { concatenate, defaultExport, namedExports, objectLiteral } from './expressions.ts'
import { OUTPUTS } from './vocabulary.ts'

/** One image of an import, for an output of the project's own. */
export interface OutputImage extends Partial<ImageDetails> {
  /** Its URL. May be put into texts, whole; what it will be is not known yet. */
  readonly src: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** The last part of its MIME type. */
  readonly format: string
  /** Bytes. */
  readonly size?: number
}

/**
 * An output of the project's own, `as=name`.
 * @param images in the order of the query's product
 * @param keys what stands behind the colon, `as=name:a;b`; none otherwise
 * @returns what the module exports: what JSON can hold
 */
export type CustomOutput = (images: readonly OutputImage[], keys: readonly string[]) => unknown

/** @throws PixpressError `INVALID_OPTION` */
export function resolveOutputs(given: unknown = {}): Readonly<Record<string, CustomOutput>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidOption('outputs', 'an object', given)
  for (const [name, output] of Object.entries(given)) {
    const option = `outputs.${name}`
    if ((OUTPUTS as readonly string[]).includes(name) || !/^[A-Za-z]\w*$/.test(name)) {
      throw invalidOption(option, 'a name of letters and digits that is no output already', name)
    }
    if (typeof output !== 'function') throw invalidOption(option, 'a function', output)
  }
  return given as Readonly<Record<string, CustomOutput>>
}

/** Stands for the URL of an image until the bundler says it: a control character does not come up in texts. */
const MARK = '\u0001'
const MARKED = new RegExp(`(${MARK}\\d+${MARK})`)

/** An output that an import asks for. */
export interface AskedOutput {
  readonly name: string
  readonly output: CustomOutput
  /** Words behind the name in `as=name:…`. */
  readonly keys: readonly string[]
  /** Tells whether members are named exports too. */
  readonly named: boolean
}

/**
 * Renders the module of an output of the project's own.
 * @param sources JavaScript expressions of the images' URLs
 * @throws PixpressError `INVALID_OPTION` for what is no data; what the function throws stays as it is
 */
export function renderCustom(
  { name, output, keys, named }: AskedOutput,
  images: readonly Omit<OutputImage, 'src'>[],
  sources: readonly string[],
): string {
  const value = output(
    images.map((image, index) => ({ ...image, src: `${MARK}${index}${MARK}` })),
    keys,
  )
  const isNameable =
    isPlain(value) && Object.keys(value).every((key) => /^[A-Za-z]\w*$/.test(key) && !RESERVED.has(key))
  if (!isNameable) return defaultExport(expressionOf(value, sources, name))
  const members = Object.entries(value).map(([key, each]) => [key, expressionOf(each, sources, name)] as const)
  return namedExports(Object.fromEntries(members), named)
}

/** Words that are no names of exports. */
const RESERVED: ReadonlySet<string> = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
)

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function expressionOf(value: unknown, sources: readonly string[], name: string): string {
  if (typeof value === 'string') {
    const parts = value.split(MARKED).filter((part) => part !== '')
    if (parts.length === 0) return '""'
    return concatenate(
      parts.map((part) => {
        const source = MARKED.test(part) ? sources[Number(part.slice(1, -1))] : undefined
        return source ?? JSON.stringify(part)
      }),
    )
  }
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `[${value.map((each) => expressionOf(each, sources, name)).join(', ')}]`
  if (isPlain(value)) {
    const members = Object.entries(value).map(([key, each]) => [key, expressionOf(each, sources, name)] as const)
    return objectLiteral(Object.fromEntries(members))
  }
  const isData = value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  if (isData) return JSON.stringify(value)
  const kind = typeof value === 'object' ? 'an object with a prototype of its own' : `a ${typeof value}`
  throw new PixpressError('INVALID_OPTION', `Expected data from 'outputs.${name}' but it gave ${kind}.`)
}
