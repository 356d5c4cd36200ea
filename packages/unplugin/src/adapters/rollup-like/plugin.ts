import path from 'node:path'
import MagicString from 'magic-string'
import type { SourceMap } from 'magic-string'
import { distinctName } from '../../core/distinct-name.ts'
import { createImageModule, finishReference, isOwnQuery } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import type { Options } from '../../core/options.ts'
import { findNewUrls } from '../../core/reference/new-url.ts'
import type { NewUrlReference } from '../../core/reference/new-url.ts'
import { decodePath, isExternal, splitUrl } from '../../core/reference/url.ts'
import { openSession } from '../../core/registry.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { FinishedImage, Session } from '../../core/session.ts'
import { browserUrl } from './file-url.ts'
import type { FileUrlArguments } from './file-url.ts'

export interface RollupLikeOptions extends Options {
  /**
   * What stands before the names of images in the output: `/static/`, `https://cdn.example.com/`. Default: none; then
   * their URLs are made at run time, relative to the script's own.
   */
  publicPath?: string
}

interface Asset {
  type: 'asset'
  name: string
  originalFileName: string
  source: Uint8Array
  needsCodeReference?: boolean
}

interface Resolution {
  id: string
  external: boolean | 'absolute' | 'relative'
}

/** What both bundlers give to hooks, as far as it is used here. */
interface Context {
  addWatchFile(file: string): void
  emitFile(file: Asset): string
  warn(message: string): void
}

interface ResolveContext<R extends Resolution> {
  resolve(source: string, importer?: string, options?: { skipSelf: true; isEntry: boolean }): Promise<R | null>
}

/** The hooks, in the types that Rollup and Rolldown share. */
export interface RollupLikePlugin {
  name: string
  buildStart(this: unknown, options: object): void
  resolveId: {
    filter: { id: RegExp }
    handler<R extends Resolution>(
      this: ResolveContext<R>,
      source: string,
      importer: string | undefined,
      options: { isEntry: boolean },
    ): Promise<R | null>
  }
  load: { filter: { id: RegExp }; handler(this: Context, id: string): Promise<LoadedImage | null> }
  transform: {
    filter: { code: string }
    handler(this: Context, code: string, id: string): Promise<{ code: string; map: SourceMap } | null>
  }
  resolveFileUrl(this: unknown, file: FileUrlArguments): string | null
  buildEnd(this: unknown): Promise<void>
}

export interface LoadedImage {
  code: string
  map: { mappings: '' }
  moduleSideEffects: false
  /** Rolldown goes by the extension otherwise. */
  moduleType: 'js'
}

const IMAGE_ID = /\.(?:avif|gif|jfif|jpe|jpe?g|jxl|png|svg|webp)(?:[?#]|$)/i

/**
 * The plugin for Rollup and Rolldown. Images are loaded as modules that emit the processed bytes under the bundler's own
 * asset naming and export the URL; `new URL('…', import.meta.url)` is rewritten to the URL of an emitted asset.
 */
export function createRollupLikePlugin(
  { publicPath, ...options }: RollupLikeOptions,
  bundler: 'rollup' | 'rolldown',
): RollupLikePlugin {
  let session: Session
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

  /** The expression to put in the place of a `new URL(…)`; `undefined` leaves it. */
  async function rewritten(context: Context, { url }: NewUrlReference, module: string): Promise<string | undefined> {
    const { path: pathname, query, hash } = splitUrl(url)
    const file = path.resolve(path.dirname(module), decodePath(pathname))
    if (pathname.startsWith('/') || !session.matches(file) || !(await isFile(file))) return undefined
    const image = await finishReference(session, { file, query }, 'content', (message) => context.warn(message))
    if (image === undefined) return undefined
    context.addWatchFile(file)
    const expression = await emit(context, image)
    const target = hash === '' ? expression : `${expression} + ${JSON.stringify(hash)}`
    // A public path without a host is relative to the page, which not every output format's `import.meta.url` is.
    const isWhole = publicPath === undefined || isExternal(publicPath)
    const base = isWhole ? '' : `, typeof document === 'undefined' ? import.meta.url : document.baseURI`
    return `new URL(${target}${base})`
  }

  return {
    name: 'pixpress',
    buildStart(input) {
      // Only Rolldown has such an option.
      session = openSession(options, 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd())
    },
    resolveId: {
      filter: { id: IMAGE_ID },
      async handler(source, importer, { isEntry }) {
        // The bundlers themselves look for a file whose name has the query in it.
        const { path: pathname, query } = splitUrl(source)
        if (query === '' || source.includes('\0')) return null
        const resolution = await this.resolve(pathname, importer, { skipSelf: true, isEntry })
        if (resolution === null || resolution.external !== false || !session.matches(resolution.id)) return null
        return isOwnQuery(query) ? { ...resolution, id: resolution.id + query } : null
      },
    },
    load: {
      filter: { id: IMAGE_ID },
      async handler(id) {
        const { path: file, query } = splitUrl(id)
        if (!session.matches(file) || !isOwnQuery(query) || !(await isFile(file))) return null
        this.addWatchFile(file)
        const warn = (message: string): void => this.warn(message)
        const code = await createImageModule(session, { file, query }, (image) => emit(this, image), warn)
        return code === undefined ? null : { code, map: { mappings: '' }, moduleSideEffects: false, moduleType: 'js' }
      },
    },
    transform: {
      filter: { code: 'import.meta.url' },
      async handler(code, id) {
        const module = splitUrl(id).path
        if (!path.isAbsolute(module)) return null
        const text = new MagicString(code)
        for (const reference of findNewUrls(code)) {
          const replacement = await rewritten(this, reference, module)
          if (replacement !== undefined) {
            text.update(reference.expressionStart, reference.expressionEnd, replacement)
          }
        }
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : null
      },
    },
    resolveFileUrl(file) {
      if (!emitted.has(file.referenceId)) return null
      if (publicPath !== undefined) return JSON.stringify(publicPath + encodeURI(file.fileName))
      return bundler === 'rolldown' ? browserUrl(file) : null
    },
    async buildEnd() {
      await session?.endBuild()
    },
  }
}
