import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Plugin, Rolldown } from 'vite'
import { toLiteral } from '../../modules/asset-module.ts'
import { withReference } from '../../modules/failure.ts'
import { noteNearQuery, readQuery } from '../../modules/reference.ts'
import { renderImport } from '../../modules/render-import.ts'
import { isShownAlone } from '../../modules/shown-drawing.ts'
import { splitUrl } from '../../references/url.ts'
import { toDataUrl } from '../../session/encode/data-url.ts'
import { watchedFiles } from '../../session/plan/focus.ts'
import type { Warn } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import { assetExpression } from './build-asset.ts'
import type { EmitContext } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import { sourceName } from './emitted-sources.ts'
import { createImporters } from './importers.ts'
import { IMAGE_PATH } from './project.ts'
import { convertedModule } from './public-images.ts'
import type { LocatedImage, ProjectHolder, ViteProject } from './project.ts'

/** An image with a query: what may have directives. */
const QUERIED_IMAGE = new RegExp(String.raw`${EXTENSION_PATTERN}\?`, 'i')

/**
 * Images that JavaScript imports: static, dynamic and glob imports, with directives or without, and what other plugins
 * turn into imports (templates of Vue and Svelte, dynamic `new URL()`).
 *
 * The module is answered as a whole, without an import of the finished file, so that no other plugin takes that for one
 * of the project's images.
 */
export function imageModules(holder: ProjectHolder): Plugin {
  /**
   * Tells whether an image is among the inputs, as asking the bundler about each of a thousand modules takes its time.
   */
  let hasImageEntry = false
  const importers = createImporters()
  return {
    name: 'pixpress:images',
    enforce: 'pre',
    buildStart({ input }) {
      hasImageEntry = Object.values(input ?? {}).some((file) => IMAGE_PATH.test(String(file)))
    },
    resolveId: {
      order: 'pre',
      filter: { id: QUERIED_IMAGE },
      handler(specifier, importer) {
        if (importer !== undefined && QUERIED_IMAGE.test(specifier)) importers.note(specifier, importer)
        return null
      },
    },
    load: {
      filter: { id: IMAGE_PATH },
      async handler(id) {
        // Before 6.3 Vite knows no filters.
        if (!IMAGE_PATH.test(id)) return null
        const project = holder.current
        const image = await project.locateId(id)
        if (image === undefined) {
          const code = await convertedModule(project, this, id)
          return code === undefined ? null : { code, moduleType: 'js', map: { mappings: '' }, moduleSideEffects: false }
        }
        // A dev server has no entries, and throws when asked.
        const isEntry = hasImageEntry && !project.isServed && this.getModuleInfo(id)?.isEntry === true
        const code = await imageModule(project, this, image, isEntry).catch((error: unknown) => {
          // An id that only looks like a file: another plugin's.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
          // Rollup names it in any case.
          const isNamed = !project.isServed && this.meta.rolldownVersion === undefined
          const importer = isNamed ? undefined : importers.of(image.file, image.query.text)
          const { root } = project.config
          const shown = importer === undefined ? undefined : relativePath(root, importer)
          throw withReference(error, relativePath(root, image.file), image.query.text, shown)
        })
        if (code === undefined) return null
        if (project.isServed || this.meta.watchMode) {
          for (const file of await watchedFiles(project.session.files, image.file, image.query)) this.addWatchFile(file)
        }
        return {
          code,
          moduleType: 'js',
          map: { mappings: '' },
          // The module is like Vite's own asset modules: removed when unused, kept when it is an input, whose chunk
          // Vite then drops.
          ...(!project.isServed && {
            moduleSideEffects: isEntry ? 'no-treeshake' : false,
            meta: { 'vite:asset': true },
          }),
        }
      },
    },
  }
}

/** Holds what Vite makes of a file that no plugin has answered for. */
const PLAIN_ASSET = /^export default (?:["'\x60]|import\.meta\.ROLL(?:UP|DOWN)_FILE_URL_)/

/** Imports whose query is nearly one of directives, and which nobody else has answered. */
export function nearQueries(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:near-queries',
    enforce: 'post',
    transform: {
      filter: { id: QUERIED_IMAGE, code: 'export default' },
      handler(code, id) {
        if (!QUERIED_IMAGE.test(id) || !PLAIN_ASSET.test(code)) return null
        const { session, warn } = holder.current
        const { path: file, query } = splitUrl(id)
        if (session.matches(file)) noteNearQuery(session, { file, query: readQuery(query), isImport: true }, warn)
        return null
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
): Promise<string> {
  const { session, config } = project
  const { query, hash } = image
  const warn: Warn = (message) => context.warn(message)
  if (project.isServed) return servedModule(project, image, warn)
  const use = isShownAlone(query.text) ? 'picture' : image.use
  const name = sourceName(config.root, image)
  return renderImport(
    session,
    { ...image, ...(use && { use }) },
    {
      onRequest: false,
      async place(_, index, finish) {
        const finished = await finish()
        // Each of several images needs a key of its own in the manifest; the first has the import's.
        const variant = index === 0 ? '' : `#${finished.name}`
        const rule = { asked: query.inline, isEntry, hash }
        return assetExpression(project, context, { image: finished, rule, sourceName: name + variant })
      },
    },
    warn,
  )
}

/** Nothing is encoded here, unless the bytes themselves, or their number, are part of the module. */
function servedModule(project: ViteProject, image: LocatedImage, warn: Warn): Promise<string> {
  const { query, file, hash } = image
  return renderImport(
    project.session,
    image,
    {
      onRequest: query.inline !== true,
      async place(planned, _, finish) {
        if (query.inline === true) return toLiteral(toDataUrl(await finish()))
        return toLiteral((query.original ? devOriginalUrl(project, file) : devUrl(project, planned)) + hash)
      },
    },
    warn,
  )
}
