import path from 'node:path'
import { deliverExpression } from '../../modules/deliver.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { withNamedFile } from '../../modules/failure.ts'
import { isNearQuery, noteNearQuery, readImport, readQuery } from '../../modules/reference.ts'
import { renderImport } from '../../modules/render-import.ts'
import type { ModuleImages } from '../../modules/render-import.ts'
import { isFile } from '../../base/files.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { Options } from '../../session/options/options.ts'
import { IMAGE_ID, relativePath } from '../../base/paths.ts'
import { openSession } from '../../session/registry.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import type { Session } from '../../session/session.ts'
import type { Context, RollupLikePlugin } from './hooks.ts'
import { offerInRollup } from './alternatives.ts'
import { rewriteNewUrls } from './new-urls.ts'
import { browserUrl, withoutTimings } from './rolldown-only.ts'
import { MAY_HOLD_CACHE_URL, emitStyleImages } from './stylesheets.ts'
import type { EmitFile } from './stylesheets.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

export interface RollupLikeOptions extends Options {
  /**
   * What stands before the names of images in the output: `/static/`, `https://cdn.example.com/`. Default: none; then
   * their URLs are made at run time, relative to the script's own.
   */
  publicPath?: string
}

export const rollup: Adapter<RollupLikeOptions> = createAdapter('rollup', (options: RollupLikeOptions) => {
  const { name, ...hooks } = createPlugin(options, 'rollup')
  return [{ name, rollup: hooks }]
})

export const rolldown: Adapter<RollupLikeOptions> = createAdapter('rolldown', (options: RollupLikeOptions) => {
  const { name, ...hooks } = createPlugin(options, 'rolldown')
  return [{ name, rolldown: hooks }]
})

/**
 * Rollup and Rolldown: images are loaded as modules that emit the processed bytes under the bundler's own
 * asset naming and export the URL; `new URL('…', import.meta.url)` is rewritten to the URL of an emitted asset. Neither
 * knows stylesheets: for those there is `unplugin-pixpress/postcss`, whose files are emitted here.
 */
function createPlugin({ publicPath, ...options }: RollupLikeOptions, bundler: 'rollup' | 'rolldown'): RollupLikePlugin {
  let session: Session
  let isReported = false
  /** `undefined` where modules may come from a cache. */
  let build: string | undefined
  const emitted = new Set<string>()

  async function emit(context: Context, image: FinishedImage): Promise<string> {
    const reference = context.emitFile({
      type: 'asset',
      name: await distinctName(session, image),
      originalFileName: relativePath(session.options.root, image.planned.file),
      source: image.data,
      // Rollup drops assets of modules that were shaken off; Rolldown has no such option.
      ...(bundler === 'rollup' && { needsCodeReference: true }),
    })
    emitted.add(reference)
    return `import.meta.ROLLUP_FILE_URL_${reference}`
  }

  /** A JavaScript expression of the image's URL. */
  const expressionOf = (context: Context, image: FinishedImage, inline = false): Promise<string> =>
    deliverExpression(session, image, { inline, emit: () => emit(context, image) })

  return {
    name: 'pixpress',
    ...(bundler === 'rolldown' && { options: withoutTimings }),
    buildStart(input) {
      // Only Rolldown has such an option.
      session = openSession(options, 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd())
      session.alternatives.offersInStylesheets = session.alternatives.isWanted
      isReported = false
      build = isWhole(this, input) ? wholeBuild(bundler, 'input' in input ? input.input : undefined) : undefined
    },
    resolveId: {
      filter: { id: IMAGE_ID },
      async handler(source, importer, { isEntry }) {
        // The bundlers themselves look for a file whose name has the query in it.
        const { file: specifier, query } = splitId(source)
        if (query === '' || source.includes('\0')) return null
        // A function of the project may read words of its own in it.
        const asked = readQuery(query)
        const isNear = isNearQuery(asked)
        if (session.options.defaultDirectives === undefined && !asked.isOwn && !isNear) return null
        const resolution = await this.resolve(specifier, importer, { skipSelf: true, isEntry })
        if (resolution === null || resolution.external !== false || !session.matches(resolution.id)) return null
        if (isNear) {
          const { id: file } = resolution
          // The bundlers find no such file, and say nothing but that.
          noteNearQuery(session, { file, query: asked, isImport: true }, (message) => this.warn(message))
          if (session.options.defaultDirectives === undefined) return null
        }
        return { ...resolution, id: resolution.id + query }
      },
    },
    load: {
      filter: { id: IMAGE_ID },
      async handler(id) {
        const { file, query: text } = splitId(id)
        if (!session.matches(file)) return null
        const query = await readImport(session, file, text)
        noteNearQuery(session, { file, query, isImport: true }, (message) => this.warn(message))
        if (!query.isOwn || !(await isFile(session.files, file))) return null
        for (const each of await watchedFiles(session.files, file, query)) this.addWatchFile(each)
        const warn = (message: string): void => this.warn(message)
        const images: ModuleImages = {
          onRequest: false,
          place: async (_, __, finish) => expressionOf(this, await finish(), query.inline === true),
        }
        const code = await naming(renderImport(session, { file, query }, images, warn))
        return { code, map: { mappings: '' }, moduleSideEffects: false, moduleType: 'js' }
      },
    },
    transform: {
      filter: { code: 'import.meta.url' },
      async handler(code, id) {
        const { file } = splitId(id)
        if (!path.isAbsolute(file)) return null
        const text = await naming(rewriteNewUrls({ session, publicPath, expressionOf }, this, code, file))
        return text === undefined ? null : { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    resolveFileUrl(file) {
      if (!emitted.has(file.referenceId)) return null
      if (publicPath !== undefined) return JSON.stringify(publicPath + encodeURI(file.fileName))
      return bundler === 'rolldown' ? browserUrl(file) : null
    },
    renderChunk: {
      filter: { code: MAY_HOLD_CACHE_URL },
      async handler(code) {
        if (!MAY_HOLD_CACHE_URL.test(code)) return null
        // A stylesheet that a script puts into the page: its URLs are relative to the page.
        const settings = { emit: emitterOf(this), urlOf: (name: string) => (publicPath ?? '') + name, isAlone: true }
        const text = await naming(emitStyleImages(session, code, settings, (message) => this.warn(message)))
        return text === undefined ? null : { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    generateBundle: {
      order: 'post',
      async handler({ dir, file: single }, bundle) {
        // Rolldown's bundle does not have what a hook adds.
        const added = new Map<string, Uint8Array>()
        const put: EmitFile = (asset) => {
          const name = emitterOf(this)(asset)
          added.set(name, asset.source)
          return name
        }
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
          const css = typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString('utf8')
          const folder = path.posix.dirname(file.fileName)
          const urlOf = (name: string): string =>
            publicPath === undefined ? path.posix.relative(folder, name) : publicPath + name
          const settings = { emit: put, urlOf, isAlone: false }
          const text = await emitStyleImages(session, css, settings, (message) => this.warn(message))
          if (text !== undefined) file.source = text.toString()
        }
        if (!session.alternatives.isWanted) return
        const output = {
          bundle,
          added,
          folder: path.resolve(dir ?? path.dirname(single ?? '')),
          base: publicPath ?? '',
          emit: async (image: FinishedImage) => put({ name: await distinctName(session, image), source: image.data }),
        }
        await naming(offerInRollup(session, output, (message) => this.warn(message)))
        // Further outputs have the same images.
        if (!isReported) await session.endBuild(build)
        isReported = true
      },
    },
    async buildEnd(error) {
      // Without a session the build has failed before it began. With other types to offer, the work goes on.
      const isDone = error !== undefined || !(session as Session | undefined)?.alternatives.isWanted
      if (isDone) await (session as Session | undefined)?.endBuild(error === undefined ? build : undefined)
    },
  }
}

/** Whether every image is asked for: nobody watches, and no modules were handed on from an earlier build. */
function isWhole(context: unknown, input: object): boolean {
  const { meta } = context as { readonly meta?: { readonly watchMode?: boolean } }
  return meta?.watchMode === false && !('cache' in input && Boolean(input.cache))
}

/** A `#` is a character like others in the paths of these bundlers. */
function splitId(id: string): { file: string; query: string } {
  const at = id.indexOf('?')
  return at === -1 ? { file: id, query: '' } : { file: id.slice(0, at), query: id.slice(at) }
}

/** Rolldown shows the message of an error alone. */
function naming<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw withNamedFile(error)
  })
}

function emitterOf(context: Context): EmitFile {
  return (asset) => context.getFileName(context.emitFile({ type: 'asset', ...asset }))
}
