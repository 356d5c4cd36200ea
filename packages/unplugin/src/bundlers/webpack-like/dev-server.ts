import type { IncomingMessage, ServerResponse } from 'node:http'
import { notedPlaces } from '../../inspector/places.ts'
import { sendImage } from '../adapter/answer-image.ts'
import type { Exchange } from '../adapter/answer-image.ts'
import type { Session } from '../../session/session.ts'
import type { CompilerOptionsLike } from './compiler.ts'
import { LAZY_PATH } from './names.ts'

type Next = (error?: unknown) => void
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void

/** An entry of the list of middlewares: of webpack-dev-server 5 and of @rspack/dev-server. */
type Middleware = { readonly name?: string; readonly middleware?: unknown } | ((...args: never[]) => unknown)
type SetupMiddlewares = (middlewares: Middleware[], server: unknown) => Middleware[]

/**
 * Adds the handler of lazy images to the project's dev server, and calls `onStart` when one starts, which is before its
 * first build. A project without `devServer` options is left as it is: with several compilers the options decide which
 * of them get a server.
 */
export function serveLazyImages(options: CompilerOptionsLike, session: Session, onStart: () => void): void {
  const { devServer } = options
  if (typeof devServer !== 'object' || devServer === null) return
  const previous = (devServer as { setupMiddlewares?: SetupMiddlewares }).setupMiddlewares
  const setupMiddlewares: SetupMiddlewares = (middlewares, server) => {
    onStart()
    const builtIn = middlewares.findIndex((each) => 'name' in each && each.name === 'webpack-dev-middleware')
    // After compression and headers, before whatever would answer that there is no such file.
    middlewares.splice(Math.max(0, builtIn), 0, { name: 'pixpress', middleware: imageHandler(session) })
    return previous === undefined ? middlewares : previous(middlewares, server)
  }
  options.devServer = { ...devServer, setupMiddlewares }
}

/**
 * Tells whether a dev server can answer for a compiler's images. Code for Node.js whose public path is not fixed finds
 * its images as files.
 */
export function isServable({ externalsPresets, output }: CompilerOptionsLike): boolean {
  const { publicPath } = output
  return (
    externalsPresets?.node !== true || (typeof publicPath === 'string' && publicPath !== '' && publicPath !== 'auto')
  )
}

/**
 * Answers `…/@pixpress/<id>/<name>`. The id is that of the result, so an answer stays right for ever; only when the
 * source has changed since is the new image sent, not to be kept.
 */
export function imageHandler(session: Session): Handler {
  return (request, response, next) => {
    if (request.method === 'GET' && isInspected(request.url)) return void inspect(session, request, response, next)
    const id = LAZY_PATH.exec((request.url ?? '').replace(/[?#].*$/, ''))?.[1]
    if (id === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
    answer(session, id, { request, response }, next).catch(next)
  }
}

/** Below whatever base the server has. */
const INSPECTED = /\/__pixpress(?:\/[^?#]*)?(?=[?#]|$)/

const isInspected = (url: string | undefined): boolean => INSPECTED.test((url ?? '').replace(/[?#].*$/, ''))

/** The page about the project's images. Loaded when it is looked at. */
async function inspect(
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
): Promise<void> {
  try {
    const { answerInspector } = await import('../../inspector/answer.ts')
    const answered = await answerInspector(session, INSPECTED.exec(request.url ?? '')![0], notedPlaces(session))
    if (answered === undefined) return next()
    response.statusCode = answered.status
    response.setHeader('Content-Type', answered.type)
    response.setHeader('Cache-Control', 'no-store')
    response.end(answered.body)
  } catch (error) {
    next(error)
  }
}

async function answer(session: Session, id: string, exchange: Exchange, next: Next): Promise<void> {
  const planned = await session.planned(id)
  if (planned === undefined) return next()
  await sendImage({ session, planned, isImmutable: planned.id === id, warn: warnInConsole }, exchange)
}

const warnInConsole = (message: string): void => console.warn(`pixpress: ${message}`)
