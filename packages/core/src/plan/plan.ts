import { digestOf } from '../base/digest.ts'
import { sha256 } from '../base/sha256.ts'
import { detectType } from '../base/detect.ts'
import { unreadableFormat } from '../base/unreadable.ts'
import { PixpressError } from '../base/errors.ts'
import { bytesOf } from '../base/image-source.ts'
import { DEFAULT_LIMITS } from '../base/limits.ts'
import type { Limits } from '../base/limits.ts'
import { resolveOnce } from './resolve-once.ts'
import { withinMaxWidth } from './within-max-width.ts'
import { resolveOperations } from '../operations/index.ts'
import type { Operations, ResolvedOperations } from '../operations/index.ts'
import type { InputType } from '../base/types.ts'
import { ALPHA_TYPES, CONVERTIBLE_TYPES } from '../base/formats.ts'
import { CHOICE_RULES, engineVersions, heicRules, OWN_FORM_RULES, SVG_RULES } from '../base/versions.ts'

/** The part of an engine that decides keys: `ImageEngine` has it. */
interface KeyedEngine {
  /** Everything besides source and operations that decides the bytes of a result. Holds no secret. */
  readonly identity: Readonly<Record<string, string | number>>
  accepts(type: InputType): boolean
}

/** The surroundings of a plan. */
export interface PlanContext {
  readonly limits: Required<Limits>
  /** Path or name of the image, for messages. */
  readonly file?: string | undefined
  /** The engine that does the work, where that is not this machine's threads. */
  readonly engine?: KeyedEngine | undefined
}

/** The cheap, deterministic first phase: what would be done, and its identity. Nothing is decoded or encoded. */
export interface Plan {
  /** The key of the result: `OptimizeResult.key`. */
  readonly key: string
  /** The input's type, by content. */
  readonly type: InputType
  readonly operations: ResolvedOperations
  /** The types the result can have. One entry when the type is certain before encoding. */
  readonly types: readonly InputType[]
  /** The source bytes the plan was made from. */
  readonly source: Uint8Array
  /** The name used in errors and warnings. */
  readonly file: string | undefined
  /** The request has `effort: 'auto'`: a quick path may make the image first. */
  readonly mayBeDraft?: true
}

/**
 * Plans the operations on an image and computes its identity: cheap, deterministic, without decoding.
 * @throws PixpressError `INVALID_OPTION`, `INPUT_MISSING`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
 */
export function makePlan(
  given: Uint8Array,
  operations: Operations | undefined,
  { limits, file, engine }: PlanContext,
): Plan {
  // Wrong operations are told of before a wrong source.
  resolveOnce(operations)
  const { source, type } = inspectSource(given, limits, file)
  const resolved = resolveOnce(withinMaxWidth(operations, type))
  const relevant = relevantTo(type, resolved)
  const worker = engine?.accepts(type) === true ? engine.identity : engineVersions()
  return {
    key: keyOf(prefixOnce(type, relevant, worker), digestOf(source)),
    type,
    operations: relevant,
    types: resultTypes(type, relevant),
    source,
    file,
    // An SVG gets the same result at every effort.
    ...(operations?.effort === 'auto' && type !== 'image/svg+xml' && { mayBeDraft: true as const }),
  }
}

/**
 * Checks the bytes of a source against the limits and tells their type. Nothing is hashed.
 * @throws PixpressError `INVALID_OPTION`, `INPUT_MISSING`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
 */
export function inspectSource(
  given: Uint8Array,
  limits: Required<Limits>,
  file?: string,
): { readonly source: Uint8Array; readonly type: InputType } {
  const source = bytesOf(given, file)
  if (source.length === 0) throw new PixpressError('INPUT_MISSING', 'The image is empty (0 bytes).', { file })
  if (source.length > limits.maxBytes) {
    throw new PixpressError(
      'INPUT_TOO_LARGE',
      `The image has ${source.length} bytes; the limit is ${limits.maxBytes}.`,
      { file },
    )
  }
  const type = detectType(source)
  if (type === undefined) {
    throw new PixpressError('UNSUPPORTED_TYPE', unsupported(source), { file })
  }
  return { source, type }
}

/**
 * The key of the work on these bytes with these operations, whatever type they are.
 * @param engine who does it; by default this machine
 */
export function identity(
  source: Uint8Array,
  operations: ResolvedOperations,
  engine: KeyedEngine['identity'] = engineVersions(),
): string {
  return keyOf(prefixOf(detectType(source), operations, engine), digestOf(source))
}

/** Finds the key of `makePlan` for the same operations; `undefined` for what `makePlan` refuses. */
export type KeyOf = (source: Uint8Array) => string | undefined

/**
 * Makes keys of many sources that the same is done to, on this machine: what they share is put together once.
 * @throws PixpressError `INVALID_OPTION`
 */
export function createKeys(operations: Operations | undefined, limits: Limits = {}): KeyOf {
  const { maxBytes } = { ...DEFAULT_LIMITS, ...limits }
  resolveOperations(operations)
  const prefixes = new Map<InputType, Buffer>()
  return (source) => {
    if (source.length === 0 || source.length > maxBytes) return undefined
    const type = detectType(source)
    if (type === undefined) return undefined
    let prefix = prefixes.get(type)
    if (prefix === undefined) {
      const resolved = resolveOperations(withinMaxWidth(operations, type))
      prefixes.set(type, (prefix = prefixOf(type, relevantTo(type, resolved))))
    }
    // The bytes may lie in memory that the next file gets, so no digest is kept with them.
    return keyOf(prefix, sha256(source))
  }
}

/** Bytes of a digest in hexadecimal digits. */
const DIGEST = 64

/**
 * The key covers all bytes of the source by their digest, so that several keys of one source hash it once.
 * @param prefix of `prefixOf`, which has room for the digest
 */
function keyOf(prefix: Buffer, digest: string): string {
  prefix.write(digest, prefix.length - DIGEST, 'latin1')
  return sha256(prefix)
}

/** Prefixes by the operations that they are made of, where those can no longer change. */
const prefixes = new WeakMap<ResolvedOperations, Map<KeyedEngine['identity'], Map<InputType, Buffer>>>()

/** The same as `prefixOf`, put together once for each object of operations that is frozen. */
function prefixOnce(type: InputType, operations: ResolvedOperations, engine: KeyedEngine['identity']): Buffer {
  if (!Object.isFrozen(operations)) return prefixOf(type, operations, engine)
  const byEngine = prefixes.get(operations) ?? new Map<KeyedEngine['identity'], Map<InputType, Buffer>>()
  const byType = byEngine.get(engine) ?? new Map<InputType, Buffer>()
  const prefix = byType.get(type) ?? prefixOf(type, operations, engine)
  prefixes.set(operations, byEngine.set(engine, byType.set(type, prefix)))
  return prefix
}

/** Returns the bytes that are hashed before a source's digest for its key, and room for the digest. */
function prefixOf(
  type: InputType | undefined,
  operations: ResolvedOperations,
  engine: KeyedEngine['identity'] = engineVersions(),
): Buffer {
  const rules = rulesOf(type, operations)
  return Buffer.from(`${JSON.stringify([engine, operations, ...rules])}\0${' '.repeat(DIGEST)}`)
}

/** Returns what decides the results of one source type besides the engine's versions. */
function rulesOf(type: InputType | undefined, operations: ResolvedOperations): readonly string[] {
  if (type === 'image/svg+xml') return [SVG_RULES]
  const { types, orInput, resize, background, adjust } = operations
  const isOne = types?.length === 1
  // With transparency one type may be left of several.
  const mayBeOne = isOne || types?.filter((each) => ALPHA_TYPES.has(each)).length === 1
  const isChanged = resize !== null || background !== null || adjust !== undefined
  return [
    ...(type === 'image/heic' ? heicRules() : []),
    ...(types === null || isOne ? [] : [CHOICE_RULES]),
    ...(orInput && (type === 'image/gif' || (mayBeOne && isChanged)) ? [OWN_FORM_RULES] : []),
  ]
}

function relevantTo(type: InputType, operations: ResolvedOperations): ResolvedOperations {
  const { svgo, keepElements, ...others } = operations
  if (type === 'image/svg+xml' || (svgo === undefined && keepElements === undefined)) return operations
  return others
}

/** Returns the types that a result can have. */
export function resultTypes(type: InputType, { types, orInput }: ResolvedOperations): readonly InputType[] {
  if (types === null || (orInput && !CONVERTIBLE_TYPES.has(type))) return [type]
  return orInput ? [...new Set<InputType>([...types, type])] : types
}

function unsupported(source: Uint8Array): string {
  const name = unreadableFormat(source)
  if (name === undefined) return `The content is not an image of a known type (${described(source)}).`
  return `${name} pictures cannot be read. Export it as JPEG or PNG.`
}

function described(source: Uint8Array): string {
  const head = source.subarray(0, 8)
  const printable = [...head].every((byte) => byte >= 0x20 && byte < 0x7f)
  return printable
    ? `it starts with ${JSON.stringify(String.fromCharCode(...head))}`
    : `it starts with the bytes ${Buffer.from(head).toString('hex')}`
}
