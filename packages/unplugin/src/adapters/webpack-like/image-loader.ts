import path from 'node:path'
import { EXTENSIONS, IMAGE_TYPES } from '@pixpress/core'
import type { ImageType } from '@pixpress/core'
import type { FinishedImage, PlannedImage, Warn } from '../../core/session.ts'
import { isLazyPath } from './lazy-path.ts'
import { attachedBuild, describeFailure, emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'
import type { ImageBuild } from './image-build.ts'
import { kindOf } from './query.ts'

/** Asset modules whose bytes go into the build as an image. `asset/source` and `asset/bytes` are what `?raw` is for. */
const IMAGE_MODULES: ReadonlySet<string> = new Set(['asset', 'asset/resource', 'asset/inline'])

/** Takes bytes instead of text. */
export const raw = true

/**
 * Bytes of an image → the bytes that go into the build. It runs after every other loader of the module.
 *
 * Not for thread-loader: it needs the plugin's process.
 */
export default async function imageLoader(
  this: ImageLoaderContext,
  content: string | Uint8Array,
): Promise<string | Uint8Array> {
  const build = attachedBuild(this)
  const { use, lazy } = this.getOptions()
  const { resourcePath: file, resourceQuery: query, _module: module } = this
  const kind = kindOf(query)
  if (use === undefined && module?.type !== undefined && !IMAGE_MODULES.has(module.type)) return content
  if (!build.session.matches(file) || kind === 'foreign' || kind === 'original') return content
  if (lazy !== undefined || isLazyPath(module?.matchResource)) return content
  const source = typeof content === 'string' ? Buffer.from(content) : content
  try {
    const planned = await build.plan(file, query, use, source)
    if (planned === undefined) return content
    const { data } = await finishAsNamed(build, planned, module?.matchResource, (message) => emitNotice(this, message))
    for (const message of build.takeNotices(planned.id)) emitNotice(this, message)
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  } catch (error) {
    throw describeFailure(error, this, build.session.options.root)
  }
}

/**
 * The image in the type that its module's name promises. Names are given first; the file, or what other loaders made of
 * it, may have changed since.
 */
async function finishAsNamed(
  { session }: ImageBuild,
  planned: PlannedImage,
  name: string | undefined,
  warn: Warn,
): Promise<FinishedImage> {
  const image = await session.finish(planned, warn)
  const promised = name === undefined ? undefined : typeOfName(name)
  if (promised === undefined || promised === image.type || planned.plan === undefined) return image
  const { resize, background, preserve, score } = planned.plan.operations
  const demanded = session.planBytes(planned.file, planned.source, 'content', {
    convert: { type: promised },
    preserve,
    quality: score,
    ...(resize !== null && { resize }),
    ...(background !== null && { transform: { background: background as `#${string}` } }),
  })
  return session.finish(demanded, warn)
}

function typeOfName(name: string): ImageType | undefined {
  const extension = path.extname(name.replace(/[?#].*$/, '')).slice(1).toLowerCase()
  if (/^(?:jpeg|jpe|jfif)$/.test(extension)) return 'image/jpeg'
  return IMAGE_TYPES.find((type) => EXTENSIONS[type] === extension)
}
