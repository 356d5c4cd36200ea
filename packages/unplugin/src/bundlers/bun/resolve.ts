import path from 'node:path'
import { deliver } from '../../modules/deliver.ts'
import { finishReference, isOneUrl } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { virtualPath } from '../../modules/virtual-path.ts'
import { createUseInFile } from '../../references/use-in-file.ts'
import { bytesForLimit } from '../../session/plan/images.ts'
import type { FinishedImage, PlannedRequest, Warn } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import type { ResolveArguments, ResolveResult } from './bun-api.ts'
import { INLINED_IN_STYLESHEETS } from './held-images.ts'
import { isScriptImport } from './locate.ts'
import type { Locate } from './locate.ts'

/** The modules of directives that give something else than one URL. */
export const MODULE_NAMESPACE = 'pixpress'

/** Images that are `data:` URLs in scripts. */
export const INLINE_NAMESPACE = 'pixpress-inline'

/** Images of scripts that are in a store: modules of their URLs. */
export const STORED_NAMESPACE = 'pixpress-stored'

/** Holds what Bun takes for CSS, and what plugins make CSS of. */
const STYLESHEET = /\.(?:p?css|postcss|s[ac]ss|less|styl(?:us)?)$/i

/** Others want a file: entries, `require.resolve()`. */
const KINDS_OF_MODULES: ReadonlySet<string> = new Set(['import-statement', 'require-call', 'dynamic-import'])

/**
 * Describes what paths stand for that this plugin made up. Bun hands nothing from resolving to loading but the path.
 */
export interface ResolvedImages {
  /** Its keys are paths; those of `INLINE_NAMESPACE` are relative to the root. */
  readonly images: Map<string, FinishedImage>
  /** Images of stylesheets that Bun would inline for their few bytes, by paths. */
  readonly held: Map<string, FinishedImage>
  /** URLs of images in a store, by the paths of their modules. */
  readonly storedUrls: Map<string, string>
  /** Its keys are paths. */
  readonly modules: Map<string, { query: ReferenceQuery; planned: PlannedRequest }>
}

/** Resolves references to images, and keeps what the loader needs of them. */
export interface Resolver extends ResolvedImages {
  reference(args: ResolveArguments): Promise<ResolveResult | undefined>
  /** Gives the path under which a script can import an image. */
  register(image: FinishedImage, query: ReferenceQuery): Promise<string>
}

/**
 * Makes the resolver of a build.
 * @param stores whether images go into the store of the `store` option.
 * @param holds whether the output can be changed when Bun has written it.
 */
export function createBunResolver(
  session: Session,
  locate: Locate,
  { stores, holds }: { stores: boolean; holds: boolean },
  warn: Warn,
): Resolver {
  const useIn = createUseInFile(session.files.readFile)
  const { root } = session.options
  const images: ResolvedImages['images'] = new Map()
  const held: ResolvedImages['held'] = new Map()
  const storedUrls: ResolvedImages['storedUrls'] = new Map()
  const modules: ResolvedImages['modules'] = new Map()

  async function placeOf(image: FinishedImage, query: ReferenceQuery): Promise<string> {
    const place = await virtualPath(session, image, query.original)
    images.set(place, image)
    return place
  }

  /** Gives the path for a stylesheet, where the image is a file of its own or data by the size of its source. */
  async function styledPlaceOf(image: FinishedImage, query: ReferenceQuery, isInline: boolean): Promise<string> {
    const place = await placeOf(image, query)
    const isHeld = holds && isApart(image, query, isInline) && image.data.length < INLINED_IN_STYLESHEETS
    if (!isHeld) return place
    // A script may import the image itself.
    const apart = path.join(path.dirname(place), '.held', path.basename(place))
    held.set(apart, image)
    return apart
  }

  async function register(image: FinishedImage, query: ReferenceQuery): Promise<string> {
    const place = await placeOf(image, query)
    // Bun itself emits images that are not uploaded.
    const delivered = await deliver(session, image, { local: !stores, emit: () => undefined })
    if (delivered.by === 'store') storedUrls.set(storedPath(place), delivered.url)
    return place
  }

  /** Bun takes equal paths for one module, whatever their namespaces. */
  const storedPath = (place: string): string => `${relativePath(root, place)}?stored`

  function moduleOf(place: string): ResolveResult {
    const stored = storedPath(place)
    return storedUrls.has(stored) ? { path: stored, namespace: STORED_NAMESPACE } : { path: place }
  }

  async function inlined(image: FinishedImage, query: ReferenceQuery): Promise<ResolveResult> {
    const relative = relativePath(root, await placeOf(image, query))
    images.set(relative, image)
    return { path: relative, namespace: INLINE_NAMESPACE }
  }

  return {
    images,
    held,
    storedUrls,
    modules,
    register,
    async reference(args) {
      if (args.namespace === MODULE_NAMESPACE || images.has(args.path)) return moduleOf(args.path)
      const found = await locate(args)
      if (found === undefined) return undefined
      const { file, query, hash, isInline } = found
      const isScript = isScriptImport(args)
      if (isScript && query.hasDirectives) {
        const planned = await session.planRequest(file, query)
        if (!isOneUrl(planned)) {
          const place = relativePath(root, file) + query.text
          modules.set(place, { query, planned })
          return { path: place, namespace: MODULE_NAMESPACE }
        }
      }
      const use = await useIn(args.importer, args.path, () => session.log.unsized(file))
      const image = await finishReference(session, found, use, warn)
      if (image === undefined) return undefined
      if (isScript && isInline) return inlined(image, query)
      if (KINDS_OF_MODULES.has(args.kind)) return moduleOf(await register(image, query))
      // In a page Bun would leave the reference as it is.
      const isStyled = STYLESHEET.test(args.importer)
      const local = !stores || !isStyled || !isApart(image, query, isInline)
      const emit = (): Promise<string> => (isStyled ? styledPlaceOf(image, query, isInline) : placeOf(image, query))
      const delivered = await deliver(session, image, { local, emit })
      return delivered.by === 'emit' ? { path: delivered.emitted } : { path: delivered.url + hash, external: true }
    },
  }
}

/** Tells whether an image of a stylesheet is a file of its own. */
function isApart(image: FinishedImage, query: ReferenceQuery, isInline: boolean): boolean {
  return !isInline && (bytesForLimit(image).length >= INLINED_IN_STYLESHEETS || query.inline === false)
}
