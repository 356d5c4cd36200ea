import path from 'node:path'
import { readQuery } from '../../modules/reference.ts'
import { watchedFiles } from '../../session/plan/focus.ts'
import { finishAsNamed } from './finish-as-named.ts'
import { URL_LOADER, keepAsFile } from './file-loaders.ts'
import type { ImageBuild } from './image-build.ts'
import { attachedBuild, describeFailure, emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'
import { isLazyPath } from './names.ts'
import { tellNearQuery } from './near-queries.ts'
import { requestKindOf, readSpec } from './query.ts'

/** Asset modules whose bytes go into the build as an image. `asset/source` and `asset/bytes` are what `?raw` is for. */
const IMAGE_MODULES: ReadonlySet<string> = new Set(['asset', 'asset/resource', 'asset/inline'])

/** Takes bytes instead of text. */
export const raw = true

/**
 * Bytes of an image → the bytes that go into the build. It runs after every other loader of the module.
 *
 * Not for thread-loader: it needs the plugin's process.
 */
function imageLoader(this: ImageLoaderContext, content: Content, map?: unknown, meta?: unknown): void {
  const callback = this.async()
  processImage(this, content).then((result) => callback(null, result, map, meta), callback)
}

export default imageLoader

type Content = string | Uint8Array

/** Has what inlines small images look at the source's size: the bundler itself, or url-loader, which runs next. */
function limitBySource(
  { _module: module, loaders, loaderIndex = 0 }: ImageLoaderContext,
  source: Uint8Array,
  { sources }: ImageBuild,
): void {
  const { buffer, byteOffset, byteLength } = source
  if (module !== undefined) sources.set(module, Buffer.from(buffer, byteOffset, byteLength))
  const next = loaders?.[loaderIndex - 1]
  if (next !== undefined && URL_LOADER.test(next.path)) keepAsFile(next, source.length)
}

async function processImage(context: ImageLoaderContext, content: Content): Promise<Content> {
  const build = attachedBuild(context)
  const { emits, lazy, use } = context.getOptions()
  const { resourcePath: file, resourceQuery, _module: module } = context
  const query = readQuery(resourceQuery)
  const kind = requestKindOf(query)
  if (emits === undefined && module?.type !== undefined && !IMAGE_MODULES.has(module.type)) return content
  if (!build.session.matches(file)) return content
  if (kind === 'foreign') tellNearQuery(context, query, build)
  if (kind === 'foreign' || kind === 'original') return content
  for (const each of await watchedFiles(build.session.files, file, query)) context.addDependency(each)
  if (lazy !== undefined || isLazyPath(module?.matchResource)) return content
  const source = typeof content === 'string' ? Buffer.from(content) : content
  try {
    const planned = await build.plan(file, query, use, source)
    if (planned === undefined) return content
    const warn = (message: string): void => emitNotice(context, message)
    const name = module?.matchResource
    const { data, ...image } =
      emits === undefined
        ? await finishAsNamed(build.session, planned, name, warn)
        : await build.session.finish(planned, warn)
    // file-loader and url-loader run next, and take the name's extension and the MIME type from here.
    const isAsked = kind === 'directives' || readSpec(query.text).operations !== undefined
    if (!isAsked) limitBySource(context, source, build)
    if (emits !== undefined && isAsked) context.resourcePath = path.join(path.dirname(file), image.name)
    for (const message of build.takeNotices(planned.id)) warn(message)
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  } catch (error) {
    throw describeFailure(error, context, build.session.options.root)
  }
}
