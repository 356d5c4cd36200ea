import { IMAGE_TYPES, detectType } from '@pixpress/core'
import { COMPRESSED_TYPES, resolveOperations } from '@pixpress/core/internal'
import type { Operations } from '@pixpress/core'
import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import { refusedAsBadRequest } from '../http/json.ts'
import type { Commands } from './commands.ts'

// The query asks for what this server can do beyond the interface of the hosted services. Bodies stay the interface's:
// there an unknown key is an error.

/** Types of upload that the interface has. The others that the engine knows (GIF, SVG) take `?types=all`. */
const USUAL: ReadonlySet<string> = new Set(IMAGE_TYPES)

/**
 * Checks that an upload is of a type that this request may send.
 * @throws HttpError `UnsupportedMediaType`, or `BadRequest` for another value of `types`
 */
export function assertAccepted(c: Context<AppEnv>, upload: Buffer): void {
  const types = c.req.query('types')
  if (types !== undefined && types !== 'all') throw new HttpError('BadRequest', "'types' in the query must be 'all'.")
  const accepted: ReadonlySet<string> = types === 'all' ? new Set(COMPRESSED_TYPES) : USUAL
  const type = detectType(upload)
  if (type !== undefined && accepted.has(type)) return
  const what = type === undefined ? 'The upload is not an image of a known type' : `${type} is not accepted`
  throw new HttpError('UnsupportedMediaType', `${what}. Accepted are ${[...accepted].join(', ')}.`)
}

/**
 * Adds the quality of the query (`?quality=small`, a score, or `lossless`) to the commands of the body. Another quality
 * is another compression of the upload: it counts one where no command does.
 * @throws HttpError `BadRequest`
 */
export function withQuality(c: Context<AppEnv>, commands: Commands): Commands {
  const text = c.req.query('quality')
  if (text === undefined) return commands
  const asked = qualityFrom(text)
  refusedAsBadRequest(() => resolveOperations(asked))
  const { operations, named, counted } = commands
  return {
    ...commands,
    operations: { ...operations, ...asked },
    named: ['shrink', ...named],
    counted: counted.length === 0 ? ['shrink'] : counted,
    unchanged: false,
  }
}

function qualityFrom(text: string): Operations {
  if (text === 'lossless') return { lossless: true }
  const score = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
  return { quality: (score ?? text) as NonNullable<Operations['quality']> }
}
