import type { Plugin, Rolldown } from 'vite'
import { createImageModule } from '../../core/image-module.ts'
import { createServedModule } from '../../core/served-module.ts'
import type { ServedUrls } from '../../core/served-module.ts'
import type { FinishedImage, Warn } from '../../core/session.ts'
import { assetExpression } from './build-asset.ts'
import type { EmitContext } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import { withReference } from './failure.ts'
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
  /** Whether an image is among the inputs, as asking the bundler about each of a thousand modules takes its time. */
  let hasImageEntry = false
  return {
    name: 'pixpress:images',
    enforce: 'pre',
    buildStart({ input }) {
      hasImageEntry = Object.values(input ?? {}).some((file) => IMAGE_PATH.test(String(file)))
    },
    load: {
      filter: { id: IMAGE_PATH },
      async handler(id) {
        const project = holder.current
        const image = await project.locateId(id)
        if (image === undefined) return null
        // A dev server has no entries, and throws when asked.
        const isEntry = hasImageEntry && !project.isServed && this.getModuleInfo(id)?.isEntry === true
        const code = await imageModule(project, this, image, isEntry).catch((error: unknown) => {
          // An id that only looks like a file: another plugin's.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
          throw withReference(error, project, image)
        })
        if (code === undefined) return null
        if (project.isServed || this.meta.watchMode) this.addWatchFile(image.file)
        return {
          code,
          moduleType: 'js',
          map: { mappings: '' },
          // As Vite's own asset modules: removed when unused, kept when it is an input, whose chunk Vite then drops.
          ...(!project.isServed && {
            moduleSideEffects: isEntry ? 'no-treeshake' : false,
            meta: { 'vite:asset': true },
          }),
        }
      },
    },
  }
}

type LoadContext = EmitContext & Pick<Rolldown.PluginContext, 'warn'>

function imageModule(
  project: ViteProject,
  context: LoadContext,
  image: LocatedImage,
  isEntry: boolean,
): Promise<string | undefined> {
  const warn: Warn = (message) => context.warn(message)
  if (project.isServed) return servedModule(project, image, warn)
  const { inline: asked } = project.session.parseQuery(image.query)
  let emitted = 0
  const emit = (finished: FinishedImage): Promise<string> => {
    // Each of several images needs a key of its own in the manifest; the first has the import's.
    const variant = emitted++ === 0 ? '' : `#${finished.name}`
    const source = { ...image, query: image.query + variant }
    return assetExpression(project, context, finished, { asked, isEntry, hash: image.hash }, source)
  }
  // What becomes a data URL is decided together with emitting.
  return createImageModule(project.session, image, emit, warn, () => false)
}

/** Nothing is encoded here, unless the bytes themselves are part of the module. */
function servedModule(project: ViteProject, image: LocatedImage, warn: Warn): Promise<string> {
  const urls: ServedUrls = {
    planned: (planned) => devUrl(project, planned) + image.hash,
    original: (file) => devOriginalUrl(project, file) + image.hash,
  }
  return createServedModule(project.session, image, urls, warn)
}
