import path from 'node:path'
import { finishReference, isOwnQuery } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import { createUseInFile } from '../../core/reference/use-in-file.ts'
import { decodePath, splitUrl } from '../../core/reference/url.ts'
import type { UrlParts } from '../../core/reference/url.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { FinishedImage, PlannedRequest, Session, Warn } from '../../core/session.ts'
import { virtualPath } from '../../core/virtual-path.ts'
import type { BunGlobal, ResolveArguments, ResolveResult } from './bun-api.ts'

/** The modules of directives that give something else than one URL. */
export const MODULE_NAMESPACE = 'pixpress'

/** Images that are `data:` URLs in scripts. */
export const INLINE_NAMESPACE = 'pixpress-inline'

/** What paths stand for that this plugin made up. Bun hands nothing from resolving to loading but the path. */
export interface ResolvedImages {
  /** By path; those of `INLINE_NAMESPACE` by the path relative to the root. */
  readonly images: Map<string, FinishedImage>
  /** By path. */
  readonly modules: Map<string, { file: string; query: string; planned: PlannedRequest }>
}

export interface Resolver extends ResolvedImages {
  reference(args: ResolveArguments): Promise<ResolveResult | undefined>
  /** Gives the path under which an image can be imported. */
  register(image: FinishedImage, query: string): Promise<string>
}

export function createResolver(
  session: Session,
  isInlined: (file: string) => boolean | undefined,
  warn: Warn,
): Resolver {
  const useIn = createUseInFile()
  const { root } = session.options
  const images: ResolvedImages['images'] = new Map()
  const modules: ResolvedImages['modules'] = new Map()

  async function register(image: FinishedImage, query: string): Promise<string> {
    const place = await virtualPath(session, image, session.parseQuery(query).original)
    images.set(place, image)
    return place
  }

  async function toImage(image: FinishedImage, query: string, canInline: boolean): Promise<ResolveResult> {
    const place = await register(image, query)
    const isInline = session.parseQuery(query).inline ?? isInlined(image.planned.file) === true
    if (!canInline || !isInline) return { path: place }
    const relative = relativePath(root, place)
    images.set(relative, image)
    return { path: relative, namespace: INLINE_NAMESPACE }
  }

  return {
    images,
    modules,
    register,
    async reference(args) {
      if (args.namespace === MODULE_NAMESPACE || images.has(args.path)) return { path: args.path }
      const found = await find(args)
      if (found === undefined || isInlined(found.path) === undefined) return undefined
      const { path: file, query } = found
      if (!session.matches(file) || !isOwnQuery(query)) return undefined
      const isScript = isScriptImport(args)
      const parsed = session.parseQuery(query)
      if (isScript && parsed.hasDirectives) {
        const planned = await session.planRequest(file, parsed)
        if (planned.request.output.as !== 'url' || planned.images.length > 1) {
          const place = relativePath(root, file) + query
          modules.set(place, { file, query, planned })
          return { path: place, namespace: MODULE_NAMESPACE }
        }
      }
      const image = await finishReference(session, { file, query }, await useIn(args.importer, args.path), warn)
      return image === undefined ? undefined : toImage(image, query, isScript)
    },
  }
}

/** Other references are URLs of stylesheets and pages. */
function isScriptImport({ kind }: ResolveArguments): boolean {
  return kind !== 'internal' && kind !== 'url-token'
}

/** `build.resolve()` is missing in Bun; its own resolution is left to tell packages and aliases. */
async function find(args: ResolveArguments): Promise<UrlParts | undefined> {
  const { path: specifier, importer, resolveDir } = args
  const folder = resolveDir ?? path.dirname(importer)
  const whole = path.resolve(folder, specifier)
  if (await isFile(whole)) return { path: whole, query: '', hash: '' }
  const { path: pathname, query, hash } = splitUrl(specifier)
  const file = path.resolve(folder, isScriptImport(args) ? pathname : decodePath(pathname))
  if (await isFile(file)) return { path: file, query, hash }
  const { Bun } = globalThis as { Bun?: BunGlobal }
  try {
    const resolved = Bun?.resolveSync(pathname, folder)
    return resolved === undefined || !path.isAbsolute(resolved) ? undefined : { path: resolved, query, hash }
  } catch {
    // Not to be found: Bun reports it, or another plugin knows it.
    return undefined
  }
}
