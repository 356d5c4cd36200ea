import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type Picomatch from 'picomatch'
import type { Connect, Plugin } from 'vite'
import { isNearQuery, noteNearQuery, planReference, readQuery } from '../../modules/reference.ts'
import { sendImage } from '../adapter/answer-image.ts'
import type { Exchange } from '../adapter/answer-image.ts'
import { isFile } from '../../base/files.ts'
import type { PlannedImage } from '../../session/plan/images.ts'
import { plannedId, withoutBase } from './dev-url.ts'
import { IMAGE_PATH } from './project.ts'
import type { ProjectHolder, ViteProject } from './project.ts'

/**
 * The dev server's images, encoded when a browser asks for them: under the URLs that rewritten references have, which
 * never change their content, and under the plain URL of any image of the project or of `public/`, since templates and
 * scripts may hold that.
 */
export function devServer(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:serve',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use(createImageMiddleware(holder.current))
    },
  }
}

function createImageMiddleware(project: ViteProject): Connect.NextHandleFunction {
  const { session, config } = project
  const mayServe = createFileAccess(config)
  if (config.publicDir !== '') session.expectCopies(config.publicDir, path.resolve(config.root, config.build.outDir))
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    const url = withoutBase(config.base, request.originalUrl ?? request.url ?? '')
    if (url === undefined) return next()
    const id = plannedId(url.path)
    const answer =
      id === undefined
        ? answerPlain(project, mayServe, url, { request, response })
        : answerPlanned(project, id, { request, response })
    answer.then((answered) => answered || next(), next)
  }
}

async function answerPlanned(project: ViteProject, id: string, exchange: Exchange): Promise<boolean> {
  const { response } = exchange
  // A source that was removed since the page was made is as unknown as an id of another server's page.
  const planned = await project.session.planned(id).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (planned === undefined) {
    response.statusCode = 404
    response.setHeader('Cache-Control', 'no-store')
    response.end('This image is not, or no longer, part of the project. Reload the page.\n')
    return true
  }
  // An image that changed since gets a new URL; what this one is answered with must not stay in a cache.
  await send(project, planned, planned.id === id, exchange)
  return true
}

async function answerPlain(
  project: ViteProject,
  mayServe: (file: string) => boolean,
  { path: urlPath, query: text }: { path: string; query: string },
  exchange: Exchange,
): Promise<boolean> {
  const { session, config } = project
  if (!IMAGE_PATH.test(urlPath)) return false
  const query = readQuery(text)
  if ((!query.isOwn && !isNearQuery(query)) || isModuleRequest(text, exchange.request)) return false
  const isAnswered = session.options.publicDir && config.publicDir !== ''
  const inPublic = path.join(config.publicDir, urlPath)
  const isPublic = config.publicDir !== '' && (await isFile(session.files, inPublic))
  if (isPublic && !isAnswered) return false
  const outside = /^\/@fs\/+(.*)$/.exec(urlPath)?.[1]
  const inProject = outside === undefined ? path.join(config.root, urlPath) : path.resolve('/', outside)
  const file = isPublic ? inPublic : inProject
  if (!session.matches(file) || !(await isFile(session.files, file)) || !(isPublic || mayServe(file))) return false
  if (!query.isOwn) {
    noteNearQuery(session, { file, query }, project.warn)
    return false
  }
  const planned = await planReference(session, { file, query }, isPublic ? 'public' : 'content').catch(
    (error: unknown) => {
      if (!(error instanceof PixpressError) || error.code !== 'INVALID_OPTION') throw error
      // A script may have put together this URL for another server: its query is not to be judged, only what is in
      // sources.
      session.log.once(`query ${urlPath}${text}`, () => project.warn(`${urlPath}${text}: ${error.message}`))
      return undefined
    },
  )
  if (planned === undefined) return false
  await send(project, planned, false, exchange)
  return true
}

/**
 * Vite marks the requests of imports; their answer is JavaScript. The flags have modules, or the file itself, for an
 * answer.
 */
function isModuleRequest(query: string, request: IncomingMessage): boolean {
  const flags = new URLSearchParams(query)
  if (request.headers['sec-fetch-dest'] === 'script') return true
  return ['import', 'url', 'inline', 'original'].some((flag) => flags.has(flag))
}

/** Sends an image with the headers of the server's configuration. */
function send(
  { config, session, warn }: ViteProject,
  planned: PlannedImage,
  isImmutable: boolean,
  exchange: Exchange,
): Promise<void> {
  for (const [name, value] of Object.entries(config.server.headers ?? {})) {
    if (value !== undefined) exchange.response.setHeader(name, value)
  }
  return sendImage({ session, planned, isImmutable, warn }, exchange)
}

/**
 * Vite's rule of what files a dev server may show: `server.fs` (`isFileServingAllowed` in its middlewares/static.ts).
 */
function createFileAccess({ server: { fs } }: ViteProject['config']): (file: string) => boolean {
  if (!fs.strict) return () => true
  const patterns = fs.deny.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`))
  // Builds have no use for the library.
  const picomatch = createRequire(import.meta.url)('picomatch') as typeof Picomatch
  const isDenied = picomatch(patterns, { nocase: true, dot: true })
  return (file) => {
    const isInside = (folder: string): boolean => !/^\.\.(?:[/\\]|$)/.test(path.relative(folder, file))
    return !isDenied(file.split(path.sep).join('/')) && fs.allow.some(isInside)
  }
}
