import path from 'node:path'
import { onlyImage, readQuery } from '../../modules/reference.ts'
import { renderAsImports } from '../../modules/render-import.ts'
import { watchedFiles } from '../../session/plan/focus.ts'
import { relativePath } from '../../base/paths.ts'
import type { ImageBuild } from './image-build.ts'
import { attachedBuild, describeFailure, emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'
import { deliveryQuery, withSpec } from './query.ts'
import { escapePath } from './resource.ts'

/** An image is not text. */
export const raw = true

/**
 * An import with directives → the module it stands for. Every variant is an import of its own, so that the bundler
 * names, inlines and emits it like any other image.
 *
 * Not for thread-loader: it needs the plugin's process.
 */
async function moduleLoader(this: ImageLoaderContext): Promise<string> {
  const build = attachedBuild(this)
  try {
    return await renderVariants(this, build)
  } catch (error) {
    throw describeFailure(error, this, build.session.options.root)
  }
}

export default moduleLoader

async function renderVariants(context: ImageLoaderContext, { session, isLazy }: ImageBuild): Promise<string> {
  const { resourcePath: file, resourceQuery } = context
  const query = readQuery(resourceQuery)
  for (const each of await watchedFiles(session.files, file, query)) context.addDependency(each)
  const planned = await session.planRequest(file, query)
  // Only a module can have several URLs; this throws what is to be said about it.
  if (context.getOptions().url !== undefined)
    onlyImage(planned, resourceQuery, relativePath(session.options.root, file))
  const name = escapePath(path.basename(file))
  const place = (_: unknown, index: number): string => {
    const { operations } = planned.request.variants[index]!
    return `./${name}${withSpec(deliveryQuery(query), { operations })}`
  }
  return renderAsImports(session, planned, { onRequest: isLazy, place }, (message) => emitNotice(context, message))
}
