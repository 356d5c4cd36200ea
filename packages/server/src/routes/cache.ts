import type { Context } from 'hono'
import { readBody } from '../http/body.ts'
import type { AppEnv } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import { answerJson } from '../http/json.ts'
import type { CacheEntryName } from '../storage/contract.ts'
import type { Services } from './services.ts'

/** The first bytes of every signed entry. Only its readers can check the signature. */
const BEGINNING = 'pixpress-signed-1\n'

/** Bytes that an entry may have beside the image: its signature and what is known of the image. */
const BESIDE_IMAGE = 65_536

/** Keys in one answer. */
const PAGE = 1000

const SIGNER = /^[\da-f]{16}$/
const KEY = /^[\da-f]{64}$/

/**
 * Answers `GET`, `HEAD` and `PUT /cache/<signer>/<key>`: one result of a build, which is created and never replaced.
 */
export async function cacheEntry(c: Context<AppEnv>, account: string, services: Services): Promise<Response> {
  const { backend } = services
  const name = nameOf(c, account, services)
  if (c.req.method === 'PUT') return create(c, name, services)
  if (c.req.method === 'HEAD') {
    if (!(await backend.cache.has(name))) throw notFound()
    return new Response(null, { headers: HEADERS })
  }
  const found = await backend.cache.stream(name)
  if (found === undefined) throw notFound()
  return new Response(found.body as ConstructorParameters<typeof Response>[0], {
    headers: { ...HEADERS, 'Content-Length': String(found.size) },
  })
}

/** Answers `GET /cache/<signer>`: the keys of the account's entries, a page at a time. */
export async function cacheKeys(c: Context<AppEnv>, account: string, services: Services): Promise<Response> {
  const signer = signerOf(c, services)
  const after = c.req.query('after')
  if (after !== undefined && !KEY.test(after)) throw new HttpError('BadRequest', "'after' must be a key.")
  const keys = await services.backend.cache.list({ account, signer }, after, PAGE)
  return answerJson(c, JSON.stringify({ keys, ...(keys.length === PAGE && { next: keys.at(-1) }) }), 200, {})
}

const HEADERS = { 'Content-Type': 'application/octet-stream' }

async function create(c: Context<AppEnv>, name: CacheEntryName, services: Services): Promise<Response> {
  const { backend, settings } = services
  const memory = services.memory.open(name.account)
  try {
    const bytes = await readBody(c, { maxBytes: settings.limits.maxBytes + BESIDE_IMAGE, memory })
    if (bytes.toString('latin1', 0, BEGINNING.length) !== BEGINNING) {
      throw new HttpError('BadRequest', 'The body is not a signed cache entry.')
    }
    if (await backend.cache.create(name, bytes)) return new Response(null, { status: 201 })
    throw new HttpError('PreconditionFailed', 'An entry with this key exists already, and entries are never replaced.')
  } finally {
    memory.release()
  }
}

function nameOf(c: Context<AppEnv>, account: string, services: Services): CacheEntryName {
  const signer = signerOf(c, services)
  const key = c.req.param('key') ?? ''
  if (!KEY.test(key)) throw notFound()
  return { account, signer, key }
}

function signerOf(c: Context<AppEnv>, { settings }: Services): string {
  const signer = c.req.param('signer') ?? ''
  if (settings.cacheSize === 0 || !SIGNER.test(signer)) throw notFound()
  return signer
}

const notFound = (): HttpError => new HttpError('NotFound', 'There is no such entry.')
