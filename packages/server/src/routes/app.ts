import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { assertAllowed, authenticate } from '../accounts/authentication.ts'
import type { Access, AppEnv } from '../http/context.ts'
import { HttpError, errorBody, retryAfter, unavailable } from '../http/http-error.ts'
import { answerJson } from '../http/json.ts'
import { errorFields } from '../telemetry/log.ts'
import { cacheEntry, cacheKeys } from './cache.ts'
import { allowOrigins } from './cors.ts'
import { toHttpError } from './failures.ts'
import { OPENAPI } from './openapi.ts'
import { output } from './output.ts'
import { PAGE_PATHS, createPage } from './page.ts'
import type { Services } from './services.ts'
import { shrink } from './shrink.ts'
import { usage } from './usage.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/**
 * Creates the whole interface as a function from request to response. On a socket, uploads are read from Node's own
 * stream (`env.incoming`); without one, from the request.
 */
export function createApp(services: Services): Hono<AppEnv> {
  const { backend } = services
  const { allowedOrigins } = services.settings
  const app = new Hono<AppEnv>()
  app.onError((error, c) => answerError(c, error, services))
  app.use(trace(services))
  app.use(observe(services))
  if (allowedOrigins.length > 0) app.use(allowOrigins(allowedOrigins))

  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (services.draining()) throw unavailable('The server is shutting down.')
    await backend.ready()
    return c.json({ status: 'ok' })
  })
  app.get('/openapi.json', (c) => c.json(OPENAPI))
  app.route('/', createPage(services.settings))
  for (const path of ['/healthz', '/readyz', '/openapi.json', ...PAGE_PATHS])
    app.all(path, () => notAllowed('GET, HEAD'))

  // A signature stands for the key, and pages of strangers' browsers have no account.
  if (services.delivery !== undefined) app.route('/', services.delivery)

  // One build asks for hundreds of entries at once, which cost next to nothing and count nothing: no rate bounds that.
  app.use('/cache/*', identify(services), async (c, next) => {
    assertAllowed(accessOf(c), 'cache')
    await next()
  })
  app.on(['GET', 'PUT'], '/cache/:signer/:key', (c) => cacheEntry(c, accessOf(c).account, services))
  app.all('/cache/:signer/:key', () => notAllowed('GET, HEAD, PUT'))
  app.get('/cache/:signer', (c) => cacheKeys(c, accessOf(c).account, services))
  app.all('/cache/:signer', () => notAllowed('GET, HEAD'))

  app.use(reportCount(services))
  app.use(identify(services))
  app.use(admit(services))
  app.post('/shrink', (c) => shrink(c, accessOf(c), services))
  app.all('/shrink', () => notAllowed('POST'))
  app.on(['GET', 'POST'], '/output/:id', (c) => output(c, accessOf(c), services))
  app.all('/output/:id', () => notAllowed('GET, HEAD, POST'))
  app.get('/usage', (c) => usage(c, accessOf(c), services))
  app.all('/usage', () => notAllowed('GET, HEAD'))
  app.notFound((c) => answerError(c, new HttpError('NotFound', 'There is nothing at this URL.'), services))
  return app
}

/** Runs a request in a span, which continues the trace of the client. Probes are left out. */
function trace({ tracing }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const route = routeOf(c.req.path)
    if (!tracing.on || route === 'probe') return next()
    const method = methodOf(c)
    return tracing.request(`${method} ${route}`, c.req.header('traceparent'), async (span) => {
      await next()
      const { status } = c.res
      span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status })
      if (c.error !== undefined && status >= 500) span.fail(toHttpError(c.error).error)
    })
  }
}

const methodOf = (c: Context<AppEnv>): string => (METHODS.has(c.req.method) ? c.req.method : 'other')

/** Adds the request's id, its line in the log and its place in the metrics, around everything else. */
function observe({ metrics, log }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    const given = c.req.header('x-request-id') ?? ''
    const requestId = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    await next()
    c.header('X-Request-Id', requestId)
    const ms = performance.now() - started
    const method = methodOf(c)
    const route = routeOf(c.req.path)
    const bytesIn = c.get('bytesIn') ?? 0
    const bytesOut = Number(c.res.headers.get('content-length') ?? 0)
    metrics.request(route, method, c.res.status, ms / 1000)
    metrics.bytes('in', bytesIn)
    metrics.bytes('out', bytesOut)
    // Probes come every second and say nothing while all is well.
    if (route === 'probe' && c.res.status < 400) return
    log.info('request', {
      request: requestId,
      method,
      route,
      status: c.res.status,
      ms: Math.round(ms),
      account: c.get('account'),
      count: c.get('count'),
      bytesIn,
      bytesOut,
      // The message is left out: it repeats text of the client, perhaps a credential in the wrong place.
      ...(c.error !== undefined && { error: toHttpError(c.error).error }),
    })
  }
}

/** Adds the account's compressions of this month to every answer, errors included. */
function reportCount({ accounting, log }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next()
    const account = c.get('account')
    if (account === undefined) return
    try {
      c.header('Compression-Count', String(c.get('count') ?? (await accounting.read(account))))
    } catch (error) {
      // The answer stands without it: most likely it already says that the storage cannot be reached.
      log.warn('count not reported', { request: c.get('requestId'), ...errorFields(error) })
    }
  }
}

/** Checks the credentials, before everything of an account. */
function identify({ keys, clock }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const access = await authenticate(c.req.header('authorization'), keys, clock())
    c.set('account', access.account)
    c.set('access', access)
    await next()
  }
}

/** Checks the account's rate, before everything that works. */
function admit({ backend }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { account, rate } = accessOf(c)
    const decision = await backend.rate.take(account, rate)
    if (!decision.allowed) {
      throw new HttpError('TooManyRequests', 'Too many requests. Leave more time between them.', {
        headers: retryAfter(decision.retryAfter),
      })
    }
    await next()
  }
}

function answerError(c: Context<AppEnv>, error: unknown, { log }: Services): Response {
  const known = toHttpError(error)
  if (known.status >= 500) {
    const fields = { request: c.get('requestId'), ...errorFields(known.cause ?? known) }
    if (known.error === 'InternalServerError') log.error('request failed', fields)
    else log.warn('request refused', fields)
  }
  return answerJson(c, errorBody(known), known.status, known.headers)
}

function notAllowed(allow: string): never {
  throw new HttpError('MethodNotAllowed', `Only ${allow} can be used here.`, { headers: { Allow: allow } })
}

/** Returns one of a fixed few: labels of metrics must not grow with what strangers ask for. */
function routeOf(path: string): string {
  if (path === '/healthz' || path === '/readyz') return 'probe'
  if (path === '/shrink' || path === '/usage' || path === '/openapi.json') return path
  if (path.startsWith('/i/')) return '/i/:signature'
  if (path.startsWith('/cache/')) return '/cache/:signer/:key'
  return path.startsWith('/output/') ? '/output/:id' : 'other'
}

function accessOf(c: Context<AppEnv>): Access {
  return c.get('access')!
}
