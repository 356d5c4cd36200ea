import path from 'node:path'
import type { PluginTransformHookParam } from '@farmfe/core'
import { notePlace } from '../../inspector/places.ts'
import { finishReference, noteNearQuery, planReference, readQuery } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { findInHtml } from '../../references/html.ts'
import { replaceReferences } from '../../references/replace.ts'
import { useOf } from '../../references/types.ts'
import type { ImageUse, Reference } from '../../references/types.ts'
import { decodePath, splitUrl } from '../../references/url.ts'
import { isFile } from '../../base/files.ts'
import type { Warn } from '../../session/plan/images.ts'
import { createEmitter } from './emit.ts'
import type { ImageEmitter } from './emit.ts'
import type { FarmHook, FarmProject } from './project.ts'

/**
 * A page with its images processed: Farm itself only takes up scripts and stylesheets of HTML. URLs that begin with `/`
 * are looked up from the root, and are left alone when the file is one of the public folder.
 */
export async function rewriteFarmPage(
  hook: FarmHook,
  { resolvedPath: page, moduleId, content }: PluginTransformHookParam,
): Promise<string> {
  const { project, isServed, context } = hook
  const references = findInHtml(content)
  const hasAlternatives = project.session.alternatives.isWanted
  const emitter = createEmitter(project, context, moduleId, isServed)
  const urls = new Map<string, string | undefined>()
  // One after the other, so that names are the same in every build.
  for (const reference of references) {
    const key = keyOf(reference, hasAlternatives)
    if (urls.has(key)) continue
    const image = await locate(project, page, reference.url, (message) => context.warn(message))
    if (image === undefined) continue
    notePlace(project.session, image.file, page)
    // Farm reads watched files as text to put them into its cache, and ends the process when one is none.
    if (project.generation === undefined) context.addWatchFile(page, image.file)
    const use = useOf(reference, hasAlternatives)
    await project.generation?.record({ owner: page, file: image.file, query: image.query.text, use })
    urls.set(key, await imageUrl(hook, image, use, emitter))
  }
  return replaceReferences(content, references, (reference) => urls.get(keyOf(reference, hasAlternatives)))
}

interface LocatedImage {
  readonly file: string
  readonly query: ReferenceQuery
  readonly hash: string
}

async function locate(
  { session, root, publicDir, publicPath }: FarmProject,
  page: string,
  url: string,
  warn: Warn,
): Promise<LocatedImage | undefined> {
  const { path: encoded, query: text, hash } = splitUrl(url)
  const pathname = decodePath(encoded)
  if (pathname.startsWith('/')) {
    const inPublic = pathname.startsWith(publicPath) ? pathname.slice(publicPath.length) : pathname
    if (await isFile(session.files, path.join(publicDir, inPublic))) return undefined
  }
  const file = path.join(pathname.startsWith('/') ? root : path.dirname(page), pathname)
  if (!session.matches(file)) return undefined
  const query = readQuery(text)
  if (!query.isOwn) noteNearQuery(session, { file, query }, warn)
  return query.isOwn && (await isFile(session.files, file)) ? { file, query, hash } : undefined
}

async function imageUrl(
  { project: { session }, isServed, context }: FarmHook,
  { file, query, hash }: LocatedImage,
  use: ImageUse,
  emitter: ImageEmitter,
): Promise<string | undefined> {
  const { inline, original } = query
  if (isServed && inline !== true && !original) {
    const planned = await planReference(session, { file, query }, use)
    return planned === undefined
      ? undefined
      : emitter.served(planned, { file, query: query.text, index: 0, use }) + hash
  }
  const image = await finishReference(session, { file, query }, use, (message) => context.warn(message))
  return image && emitter.url(image, inline === true, hash)
}

/** Gives what is one image of the page. */
function keyOf(reference: Reference, hasAlternatives: boolean): string {
  return `${useOf(reference, hasAlternatives)} ${reference.url}`
}
