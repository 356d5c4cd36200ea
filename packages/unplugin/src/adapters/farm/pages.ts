import path from 'node:path'
import type { CompilationContext, PluginTransformHookParam } from '@farmfe/core'
import { toDataUrl } from '../../core/data-url.ts'
import { finishReference, isOwnQuery, planReference } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import { findInHtml } from '../../core/reference/html.ts'
import { replaceReferences } from '../../core/reference/replace.ts'
import type { Reference } from '../../core/reference/types.ts'
import { useOf } from '../../core/reference/use.ts'
import { decodePath, splitUrl } from '../../core/reference/url.ts'
import type { ImageUse } from '../../core/session.ts'
import { createEmitter } from './emit.ts'
import type { ImageEmitter } from './emit.ts'
import type { FarmProject } from './project.ts'

/**
 * A page with its images processed: Farm itself only takes up scripts and stylesheets of HTML. URLs that begin with `/`
 * are looked up from the root, and are left alone when the file is one of the public folder.
 */
export async function rewritePage(
  project: FarmProject,
  isServed: boolean,
  { resolvedPath: page, moduleId, content }: PluginTransformHookParam,
  context: CompilationContext,
): Promise<string> {
  const references = findInHtml(content)
  const emitter = createEmitter(project, context, moduleId, isServed)
  const urls = new Map<string, string | undefined>()
  // One after the other, so that names are the same in every build.
  for (const reference of references) {
    const key = keyOf(reference)
    if (urls.has(key)) continue
    const image = await locate(project, page, reference.url)
    if (image === undefined) continue
    // Farm reads watched files as text to put them into its cache, and ends the process when one is none.
    if (project.generation === undefined) context.addWatchFile(page, image.file)
    const use = useOf(reference)
    await project.generation?.record({ owner: page, file: image.file, query: image.query, use })
    urls.set(key, await imageUrl(project, isServed, image, use, emitter, context))
  }
  return replaceReferences(content, references, (reference) => urls.get(keyOf(reference)))
}

interface LocatedImage {
  readonly file: string
  readonly query: string
  readonly hash: string
}

async function locate(
  { session, root, publicDir, publicPath }: FarmProject,
  page: string,
  url: string,
): Promise<LocatedImage | undefined> {
  const { path: encoded, query, hash } = splitUrl(url)
  const pathname = decodePath(encoded)
  if (pathname.startsWith('/')) {
    const inPublic = pathname.startsWith(publicPath) ? pathname.slice(publicPath.length) : pathname
    if (await isFile(path.join(publicDir, inPublic))) return undefined
  }
  const file = path.join(pathname.startsWith('/') ? root : path.dirname(page), pathname)
  return session.matches(file) && isOwnQuery(query) && (await isFile(file)) ? { file, query, hash } : undefined
}

async function imageUrl(
  { session }: FarmProject,
  isServed: boolean,
  { file, query, hash }: LocatedImage,
  use: ImageUse,
  emitter: ImageEmitter,
  context: CompilationContext,
): Promise<string | undefined> {
  const { inline, original } = session.parseQuery(query)
  if (isServed && inline !== true && !original) {
    const planned = await planReference(session, { file, query }, use)
    return planned === undefined ? undefined : emitter.served(planned, { file, query, index: 0, use }) + hash
  }
  const image = await finishReference(session, { file, query }, use, (message) => context.warn(message))
  if (image === undefined) return undefined
  if (inline === true) return toDataUrl(image)
  return ((await emitter.stored(image)) ?? emitter.finished(image)) + hash
}

/** What is one image of the page. */
function keyOf(reference: Reference): string {
  return `${useOf(reference)} ${reference.url}`
}
