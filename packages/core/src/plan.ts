import { createHash } from 'node:crypto'
import { detectType } from './detect.ts'
import type { ImageEngine } from './engines/image-engine.ts'
import { PixpressError } from './errors.ts'
import type { Limits } from './options.ts'
import { resolveOperations } from './operations.ts'
import type { InputType, Operations, Plan, ResolvedOperations } from './types.ts'
import { IMAGE_TYPES } from './values.ts'
import { engineVersions } from './versions.ts'

/**
 * What would be done to an image, and its identity: cheap, deterministic, without decoding.
 * @param engine who does it, where that is not this machine's threads
 * @throws PixpressError `INVALID_OPTION`, `INPUT_MISSING`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
 */
export function makePlan(
  source: Uint8Array,
  operations: Operations | undefined,
  limits: Required<Limits>,
  file?: string,
  engine?: ImageEngine,
): Plan {
  const resolved = resolveOperations(operations)
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
    throw new PixpressError('UNSUPPORTED_TYPE', `The content is not an image of a known type (${described(source)}).`, {
      file,
    })
  }
  return {
    key: identity(source, resolved, engine?.accepts(type) === true ? engine.identity : undefined),
    type,
    operations: resolved,
    types: resultTypes(type, resolved),
    source,
    file,
  }
}

/** The key of work on these bytes with these operations, whatever they turn out to be; by this machine unless said otherwise. */
export function identity(
  source: Uint8Array,
  operations: ResolvedOperations,
  engine: ImageEngine['identity'] = engineVersions(),
): string {
  return createHash('sha256')
    .update(JSON.stringify([engine, operations]))
    .update('\0')
    .update(source)
    .digest('hex')
}

/** The types that a result can have. */
export function resultTypes(type: InputType, { types, orInput }: ResolvedOperations): readonly InputType[] {
  if (types === null || (orInput && !isConvertible(type))) return [type]
  return orInput ? [...new Set<InputType>([...types, type])] : types
}

/** An SVG stays a vector image. */
function isConvertible(type: InputType): boolean {
  return type === 'image/gif' || (IMAGE_TYPES as readonly string[]).includes(type)
}

function described(source: Uint8Array): string {
  const head = source.subarray(0, 8)
  const printable = [...head].every((byte) => byte >= 0x20 && byte < 0x7f)
  return printable
    ? `it starts with ${JSON.stringify(String.fromCharCode(...head))}`
    : `it starts with the bytes ${Buffer.from(head).toString('hex')}`
}
