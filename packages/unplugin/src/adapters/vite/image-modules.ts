import type { Plugin } from 'vite'
import { toDataUrl } from '../../core/data-url.ts'
import type { ImageQuery } from '../../core/directives/query.ts'
import { renderModule } from '../../core/directives/shapes.ts'
import { createImageModule, finishRequest, renderImages } from '../../core/image-module.ts'
import { exportDefault, toLiteral } from '../../core/reference/asset-module.ts'
import type { Warn } from '../../core/session.ts'
import { assetExpression } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import { IMAGE_PATH } from './project.ts'
import type { LocatedImage, ProjectHolder, ViteProject } from './project.ts'

/**
 * Images that JavaScript imports: static, dynamic and glob imports, with directives or without, and what other plugins
 * turn into imports (templates of Vue and Svelte, dynamic `new URL()`).
 *
 * The module is answered as a whole, without an import of the finished file, so that no other plugin takes that for one of
 * the project's images.
 */
export function imageModules(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:images',
    enforce: 'pre',
    load: {
      filter: { id: IMAGE_PATH },
      async handler(id) {
        const project = holder.current
        const image = await project.locateId(id)
        if (image === undefined) return null
        const warn: Warn = (message) => this.warn(message)
        this.addWatchFile(image.file)
        if (project.isServed) {
          return { code: await servedModule(project, image, warn), moduleType: 'js', map: { mappings: '' } }
        }
        const isEntry = this.getModuleInfo(id)?.isEntry === true
        const { inline: asked } = project.session.parseQuery(image.query)
        let emitted = 0
        const code = await createImageModule(
          project.session,
          image,
          (finished) => {
            // Each of several images needs a key of its own in the manifest; one alone is the import's.
            const variant = emitted++ === 0 ? '' : `#${finished.name}`
            const reference = { ...image, query: image.query + variant }
            return assetExpression(project, this, finished, { asked, isEntry, hash: image.hash }, reference)
          },
          warn,
          // Decided together with emitting, above.
          () => false,
        )
        if (code === undefined) return null
        return {
          code,
          moduleType: 'js',
          // As Vite's own asset modules: removed when unused, kept when it is an input, whose chunk Vite then drops.
          moduleSideEffects: isEntry ? 'no-treeshake' : false,
          meta: { 'vite:asset': true },
          map: { mappings: '' },
        }
      },
    },
  }
}

/** Nothing is encoded here, unless the bytes themselves are part of the module. */
async function servedModule(project: ViteProject, image: LocatedImage, warn: Warn): Promise<string> {
  const { session } = project
  const { file, hash } = image
  const query = session.parseQuery(image.query)
  if (query.hasDirectives) return servedRequest(project, image, query, warn)
  if (query.original) {
    const url = query.inline ? toDataUrl(await session.original(file)) : devOriginalUrl(project, file) + hash
    return exportDefault(toLiteral(url))
  }
  const planned = await session.plan(file)
  const url = query.inline ? toDataUrl(await session.finish(planned, warn)) : devUrl(project, planned) + hash
  return exportDefault(toLiteral(url))
}

async function servedRequest(
  project: ViteProject,
  { file }: LocatedImage,
  query: ImageQuery,
  warn: Warn,
): Promise<string> {
  const { session } = project
  const planned = await session.planRequest(file, query)
  const { output } = planned.request
  const needsSize = output.as === 'metadata' && (output.keys === undefined || output.keys.includes('size'))
  if (query.inline === true || needsSize) {
    const images = await finishRequest(session, planned, warn)
    const urls = images.map((each) => (query.inline === true ? toDataUrl(each) : devUrl(project, each.planned)))
    return renderImages(planned, images, urls.map(toLiteral))
  }
  const results = await Promise.all(
    planned.images.map(async (each) => {
      const { width, height, type } = await session.expect(each)
      return {
        src: toLiteral(devUrl(project, each)),
        width,
        height,
        type: type === 'application/octet-stream' ? planned.source.type : type,
      }
    }),
  )
  return renderModule(planned.request, results, planned.source)
}
