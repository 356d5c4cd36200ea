import path from 'node:path'
import { parseQuery } from '../../core/directives/query.ts'
import { renderModule } from '../../core/directives/shapes.ts'
import type { VariantResult } from '../../core/directives/shapes.ts'
import { finishRequest, onlyImage } from '../../core/image-module.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { FinishedImage, PlannedRequest, Session, Warn } from '../../core/session.ts'
import type { ImageBuild } from './image-build.ts'
import { attachedBuild, describeFailure, emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'
import { deliveryQuery, withSpec } from './query.ts'
import { escapePath } from './resource.ts'

/** An image is not text. */
export const raw = true

/**
 * An import with directives → the module it stands for. Every variant is an import of its own, so that the bundler names,
 * inlines and emits it like any other image.
 *
 * Not for thread-loader: it needs the plugin's process.
 */
async function moduleLoader(this: ImageLoaderContext): Promise<string> {
  const build = attachedBuild(this)
  try {
    return await renderImport(this, build)
  } catch (error) {
    throw describeFailure(error, this, build.session.options.root)
  }
}

export default moduleLoader

async function renderImport(context: ImageLoaderContext, { session, isLazy }: ImageBuild): Promise<string> {
  const { resourcePath: file, resourceQuery } = context
  const planned = await session.planRequest(file, parseQuery(resourceQuery))
  // Only a module can have several URLs; this throws what is to be said about it.
  if (context.getOptions().url !== undefined)
    onlyImage(planned, resourceQuery, relativePath(session.options.root, file))
  const { request, source } = planned
  const measured = await measure(session, planned, isLazy, (message) => emitNotice(context, message))
  const results = measured.map((each, index): VariantResult => ({ ...each, src: `_${index}` }))
  const code = renderModule(request, results, source)
  const name = escapePath(path.basename(file))
  const imports = request.variants.flatMap(({ operations }, index) => {
    // What the shape leaves out must not be emitted.
    if (!new RegExp(`\\b_${index}\\b`).test(code)) return []
    const variant = withSpec(deliveryQuery(resourceQuery), { operations })
    return [`import _${index} from ${JSON.stringify(`./${name}${variant}`)};\n`]
  })
  return imports.join('') + code
}

type Measured = Omit<VariantResult, 'src'>

/** Sizes and types of the results: the real ones, or for a dev server what they will be. */
async function measure(session: Session, planned: PlannedRequest, isLazy: boolean, warn: Warn): Promise<Measured[]> {
  const { request, source, images } = planned
  const { output } = request
  const needsBytes = output.as === 'metadata' && (output.keys === undefined || output.keys.includes('size'))
  if (!isLazy || needsBytes) {
    return (await finishRequest(session, planned, warn)).map((image) => describe(image, image.data.length, source))
  }
  return Promise.all(images.map(async (image) => describe(await session.expect(image), undefined, source)))
}

function describe(
  { width, height, type }: Pick<FinishedImage, 'width' | 'height' | 'type'>,
  size: number | undefined,
  source: PlannedRequest['source'],
): Measured {
  return {
    width: width || source.width,
    height: height || source.height,
    type: type === 'application/octet-stream' ? source.type : type,
    ...(size !== undefined && { size }),
  }
}
