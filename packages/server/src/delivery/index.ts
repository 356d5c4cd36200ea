import { PixpressError } from '@pixpress/core'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import { refusedAsBadRequest } from '../http/json.ts'
import { toHttpError } from '../routes/failures.ts'
import type { Services } from '../routes/services.ts'
import type { DeliverySettings } from '../settings/delivery.ts'
import type { ServerSettings } from '../settings/settings.ts'
import { acceptedTypes } from './negotiation.ts'
import { readOperations, withOpenWidth } from './operations.ts'
import type { DeliveryPresets, DeliveryRequest } from './operations.ts'
import { createOriginals } from './originals.ts'
import { readPath, signedText } from './path.ts'
import type { DeliveryPath } from './path.ts'
import { createShelf } from './picture.ts'
import { REFUSED_FOR, createPictures } from './pictures.ts'
import type { Pictures } from './pictures.ts'
import { respond } from './respond.ts'
import { createVerifier } from './signature.ts'
import type { VerifySignature } from './signature.ts'

/** The parts of the server that the delivery uses. */
export interface DeliveryParts extends Pick<
  Services,
  'backend' | 'work' | 'memory' | 'metrics' | 'log' | 'tracing' | 'clock'
> {
  readonly settings: Pick<ServerSettings, 'limits' | 'sources'> & { readonly delivery: DeliverySettings }
}

interface Delivery {
  readonly verify: VerifySignature
  readonly widths: ReadonlySet<number>
  readonly presets: DeliveryPresets
  readonly pictures: Pictures
  readonly clock: () => number
}

/**
 * Creates the part of the interface that delivers pictures into pages: `GET` and `HEAD` of
 * `/i/<signature>/<operations>/<source>`. Nothing of it is counted, and no key but the signature is asked for.
 * @throws PixpressError `INVALID_OPTION` for a preset that cannot be read
 */
export function createDelivery(parts: DeliveryParts): Hono<AppEnv> {
  const { settings, backend, work, memory, metrics, log, tracing, clock } = parts
  const { keys, sources, presets, widths, maxAge } = settings.delivery
  for (const name of presets.keys()) assertReadable(name, presets)
  const { records, bytes, leases } = backend
  const delivery: Delivery = {
    verify: createVerifier(keys),
    widths,
    presets,
    clock,
    pictures: createPictures({
      work,
      memory,
      leases,
      log,
      clock,
      maxAge,
      read: createOriginals({ sources, allowed: settings.sources, records, bytes, clock, tracing }),
      shelf: createShelf(backend.delivered),
      limits: settings.limits,
      delivered: metrics.delivered,
    }),
  }
  const routes = new Hono<AppEnv>()
  routes.get('/i/*', (c) => deliver(c, delivery))
  routes.all('/i/*', () => {
    throw new HttpError('MethodNotAllowed', 'Only GET, HEAD can be used here.', { headers: { Allow: 'GET, HEAD' } })
  })
  return routes
}

/**
 * Finds a preset that is wrong at the start, before somebody looks at a page.
 * @throws PixpressError `INVALID_OPTION`
 */
function assertReadable(name: string, presets: DeliveryPresets): void {
  try {
    readOperations(`preset=${name}`, presets)
  } catch (error) {
    if (!(error instanceof PixpressError)) throw error
    throw new PixpressError(error.code, `The preset '${name}' of the delivery is wrong. ${error.message}`)
  }
}

async function deliver(c: Context<AppEnv>, delivery: Delivery): Promise<Response> {
  const { presets, pictures, clock } = delivery
  try {
    const path = readPath(new URL(c.req.url).pathname)
    assertSigned(path, delivery)
    const request = refusedAsBadRequest(() => readOperations(path.operations, presets))
    const left = secondsLeft(request, clock())
    const varies = request.type === 'auto'
    const accepted = varies ? acceptedTypes(c.req.header('accept')) : []
    const { source } = path
    const written = pictureWords(path.operations, presets)
    const { picture, until } = await pictures.get({ written, request, source, accepted })
    const maxAge = Math.max(0, Math.min(left, Math.floor((until - clock()) / 1000)))
    const { download } = request
    return respond(picture, { maxAge, varies, download }, c.req.method, (name) => c.req.header(name))
  } catch (error) {
    throw withCacheControl(toHttpError(error))
  }
}

/** @throws HttpError `Forbidden` */
function assertSigned({ signature, operations, source, signed }: DeliveryPath, { verify, widths }: Delivery): void {
  if (verify(signature, signed)) return
  const template = withOpenWidth(operations, widths)
  if (template !== undefined && verify(signature, signedText([template, ...source]))) return
  throw new HttpError('Forbidden', 'The signature is not that of this URL, or its width is none of those allowed.')
}

/** @returns `Infinity` where the URL does not expire. @throws HttpError `Forbidden` */
function secondsLeft({ expires }: DeliveryRequest, now: number): number {
  if (expires === undefined) return Number.POSITIVE_INFINITY
  const left = expires - Math.floor(now / 1000)
  if (left <= 0) throw new HttpError('Forbidden', 'This URL has expired.')
  return left
}

/**
 * Returns the words that decide which picture it is: those of the preset as well, which may mean another one after the
 * next start, and not those that only decide how it is answered. `v` is for new pictures, and stays.
 */
function pictureWords(operations: string, presets: DeliveryPresets): string {
  const parts = operations.split(';').filter((part) => !/^(?:expires|download)=/.test(part))
  const preset = parts.find((part) => part.startsWith('preset='))?.slice('preset='.length)
  return [...parts, ...(preset === undefined ? [] : ['\n', presets.get(preset)!])].join(';')
}

/** Caches keep a refusal of a signed URL for a moment, so that a broken page costs little; any other one not at all. */
function withCacheControl(error: HttpError): HttpError {
  const isMomentary = error.status >= 500 || error.error === 'Forbidden' || error.error === 'RangeNotSatisfiable'
  const value = isMomentary ? 'no-store' : `public, max-age=${REFUSED_FOR / 1000}`
  const headers = { ...error.headers, 'Cache-Control': value }
  return new HttpError(error.error, error.message, { headers, cause: error.cause })
}
