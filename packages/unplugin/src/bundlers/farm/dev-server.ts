import path from 'node:path'
import type { DevServerMiddleware, Server } from '@farmfe/core'
import { notedPlaces } from '../../inspector/places.ts'
import { splitUrl } from '../../references/url.ts'
import { mimeType } from '../../session/encode/data-url.ts'
import { isFile } from '../../base/files.ts'
import type { PlannedImage, Warn } from '../../session/plan/images.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import { hasTag } from '../adapter/answer-image.ts'
import type { FarmProject } from './project.ts'
import { decodeRecipe, planRecipe } from './recipe.ts'

/** Koa's context, as far as it is used here. */
interface Context {
  readonly method: string
  readonly url: string
  status: number
  body: unknown
  get(header: string): string
  set(header: string, value: string): void
}

/**
 * Answers requests for the images of pages and of the public folder, encoding them then. URLs stay the same while the
 * image changes, as Farm names resources in development, so browsers have to ask again every time.
 */
export function createFarmMiddleware(
  project: FarmProject,
  server: Server,
  warn: Warn,
): ReturnType<DevServerMiddleware> {
  return async (context: Context, next: () => Promise<void>) => {
    if (context.method === 'GET' && context.url.startsWith('/__pixpress')) return inspect(project, context, next)
    const planned =
      context.method === 'GET' || context.method === 'HEAD' ? await planFor(project, server, context.url) : undefined
    if (planned === undefined) return next()
    const etag = `"${planned.id}"`
    context.set('ETag', etag)
    context.set('Cache-Control', 'no-cache')
    if (hasTag(context.get('If-None-Match'), etag)) {
      context.status = 304
      return
    }
    const image = await project.session.serve(planned, warn)
    context.status = 200
    context.set('Content-Type', mimeType(image))
    context.body = Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength)
  }
}

/** The page about the project's images. Loaded when it is looked at. */
async function inspect({ session }: FarmProject, context: Context, next: () => Promise<void>): Promise<void> {
  const { answerInspector } = await import('../../inspector/answer.ts')
  const answer = await answerInspector(session, splitUrl(context.url).path, notedPlaces(session))
  if (answer === undefined) return next()
  context.status = answer.status
  context.set('Content-Type', answer.type)
  context.set('Cache-Control', 'no-store')
  context.body = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body)
}

async function planFor(project: FarmProject, server: Server, url: string): Promise<PlannedImage | undefined> {
  const { session, root, publicDir } = project
  const name = resourceOf(project.publicPath, url)
  if (name === undefined || !IMAGE_FILE.test(name)) return undefined
  const compiler = server.getCompiler()
  const data: Uint8Array | null = compiler?.resource(name) ?? null
  const recipe = data === null ? undefined : decodeRecipe(root, data)
  if (recipe !== undefined) return (await isFile(session.files, recipe.file)) ? planRecipe(session, recipe) : undefined
  const inPublic = path.join(publicDir, name)
  if (data !== null || !session.options.publicDir || !session.matches(inPublic)) return undefined
  return (await isFile(session.files, inPublic)) ? session.plan(inPublic, 'public') : undefined
}

/** The name of the resource that a request is for: its path without the public one. */
function resourceOf(publicPath: string, url: string): string | undefined {
  const { path: pathname } = splitUrl(url)
  const base = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*(\/.*)$/i.exec(publicPath)?.[1] ?? publicPath.replace(/^\./, '')
  const rest = pathname.startsWith(base) ? pathname.slice(base.length) : pathname.slice(1)
  try {
    const name = path.posix.normalize(`/${decodeURIComponent(rest)}`).slice(1)
    return name.includes('\0') ? undefined : name
  } catch {
    // Not UTF-8 behind the percent signs: the name of nothing.
    return undefined
  }
}
