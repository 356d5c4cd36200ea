import path from 'node:path'
import type { ImportKind, Loader, OnResolveArgs, OnResolveResult, PluginBuild } from 'esbuild'
import { deliver } from '../../modules/deliver.ts'
import {
  finishReference,
  isNearQuery,
  isOneUrl,
  noteNearQuery,
  readImport,
  readQuery,
} from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { isKeptUrl, keptUrl, resolveRemoteImport } from '../../modules/remote-import.ts'
import { virtualPath } from '../../modules/virtual-path.ts'
import { splitUrl } from '../../references/url.ts'
import type { UrlParts } from '../../references/url.ts'
import { createUseInFile } from '../../references/use-in-file.ts'
import { isFile } from '../../base/files.ts'
import { relativePath } from '../../base/paths.ts'
import { readRemoteUrl } from '../../session/remote/url.ts'
import type { Session } from '../../session/session.ts'
import type { LoaderOf } from './loaders.ts'
import { withMessages } from './messages.ts'
import { ownDataOf, withOwnData } from './own-data.ts'
import type { ImportedImage } from './own-data.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/** The modules of directives that give something else than one URL. */
export const MODULE_NAMESPACE = 'pixpress'

/**
 * Namespaces of images whose query or place needs another loader than the one for their extension. They are modules of
 * their own, next to those with the usual loader.
 */
export const INLINE_NAMESPACE = 'pixpress-inline'
/** The same for esbuild's `file` loader. */
export const FILE_NAMESPACE = 'pixpress-file'

/** Images that are in a store: modules of their URLs. */
export const STORED_NAMESPACE = 'pixpress-stored'

/** How modules that this plugin writes import images: by their number in its data. */
export const NUMBERED_IMPORT: RegExp = /^pixpress:\d+$/

/** URLs of other servers, which esbuild itself leaves as they are. */
export const REMOTE_URL: RegExp = /^https?:\/\//i

const KINDS: ReadonlySet<ImportKind> = new Set([
  'entry-point',
  'import-statement',
  'require-call',
  'dynamic-import',
  'url-token',
])

const IMPORTS: ReadonlySet<ImportKind> = new Set(['import-statement', 'require-call', 'dynamic-import'])

/** An image that a path stands for, with what follows the path. */
interface Found {
  readonly file: string
  readonly query: ReferenceQuery
  readonly hash: string
  readonly loader: Loader
}

type Resolve = (args: OnResolveArgs) => Promise<OnResolveResult | undefined>

/** Resolves references to images. */
export interface Resolver {
  /** Resolves a reference in the user's code. */
  reference: Resolve
  /** Resolves a URL of another server in the user's code. */
  remote: Resolve
  /** Resolves an import in code that this plugin wrote. */
  numbered: Resolve
}

/** Makes the resolver of a build. */
export function createEsbuildResolver(build: PluginBuild, session: Session, loaderOf: LoaderOf): Resolver {
  const useIn = createUseInFile(session.files.readFile)
  /** The file that a path names for esbuild and its plugins, when it is an image for this plugin. */
  async function find(args: OnResolveArgs): Promise<Found | undefined> {
    const { path: specifier, query: text, hash } = await splitImport(session, args)
    const mayHaveDefaults = session.options.defaultDirectives !== undefined && IMPORTS.has(args.kind)
    if (!mayHaveDefaults && !readQuery(text).isOwn && !isNearQuery(readQuery(text))) return undefined
    const { kind, importer, namespace, resolveDir } = args
    const pluginData = withOwnData({ kind: 'resolving' }, args.pluginData)
    const found = await build.resolve(specifier, { kind, importer, namespace, resolveDir, pluginData })
    // A failure is esbuild's to report: left alone, it fails there in the same way.
    const isTaken = found.errors.length > 0 || found.external || found.namespace !== 'file'
    if (isTaken || !session.matches(found.path)) return undefined
    const query = mayHaveDefaults ? await readImport(session, found.path, text) : readQuery(text)
    const loader = loaderOf(found.path)
    return loader === undefined ? undefined : { file: found.path, query, hash, loader }
  }

  async function toImage(
    { image, query }: ImportedImage,
    { hash, loader, kind }: { hash: string; loader: Loader; kind: ImportKind },
  ): Promise<OnResolveResult> {
    const { file } = image.planned
    async function emit(): Promise<OnResolveResult> {
      const virtual = await virtualPath(session, image, query.original)
      const place =
        loader === loaderOf(file)
          ? { path: virtual, namespace: 'file' }
          : {
              path: relativePath(session.options.root, virtual),
              namespace: loader === 'dataurl' ? INLINE_NAMESPACE : FILE_NAMESPACE,
            }
      const pluginData = withOwnData({ kind: 'image', image, loader })
      return { ...place, suffix: hash, pluginData, watchFiles: await watchedFiles(session.files, file, query) }
    }
    // The other loaders put the bytes into the code, and an entry is asked for as a file.
    const local = loader !== 'file' || kind === 'entry-point'
    const delivered = await deliver(session, image, { local, emit })
    return delivered.by === 'emit' ? delivered.emitted : toStored(delivered.url + hash, file, kind)
  }

  /** Stylesheets can refer to a URL as it is; what scripts import must be a module. */
  function toStored(url: string, file: string, kind: ImportKind): OnResolveResult {
    if (kind === 'url-token') return { path: url, external: true, watchFiles: [file] }
    return {
      path: relativePath(session.options.root, file),
      namespace: STORED_NAMESPACE,
      // One source may give several images.
      suffix: `?${url}`,
      pluginData: withOwnData({ kind: 'stored', url, file }),
      watchFiles: [file],
    }
  }

  const resolver: Resolver = {
    remote: (args) =>
      withMessages(async (warn) => {
        if (!KINDS.has(args.kind)) return undefined
        const id = await resolveRemoteImport(session, args.path, warn)
        if (id === undefined) return undefined
        if (!isKeptUrl(id)) return resolver.reference({ ...args, path: id, resolveDir: path.dirname(id) })
        return args.kind === 'url-token' ? undefined : toKept(keptUrl(id))
      }),
    async reference(args) {
      if (ownDataOf(args.pluginData)?.kind === 'resolving' || !KINDS.has(args.kind)) return undefined
      // An import attribute asks esbuild for a loader of its own.
      if (Object.keys(args.with).length > 0) return undefined
      const found = await find(args)
      if (found === undefined) return undefined
      const { file, query, hash, loader } = found
      return withMessages(async (warn) => {
        if (!query.isOwn) {
          noteNearQuery(session, { file, query, isImport: args.kind !== 'url-token' }, warn)
          return undefined
        }
        if (args.kind !== 'url-token' && query.hasDirectives) {
          const planned = await session.planRequest(file, query)
          if (!isOneUrl(planned)) {
            return {
              path: relativePath(session.options.root, file) + query.text,
              namespace: MODULE_NAMESPACE,
              pluginData: withOwnData({ kind: 'module', file, planned, query }),
              watchFiles: await watchedFiles(session.files, file, query),
            }
          }
        }
        const image = await finishReference(session, { file, query }, await useIn(args.importer, args.path), warn)
        if (image === undefined) return undefined
        return toImage({ image, query }, { hash, loader: askedLoader(query, loader), kind: args.kind })
      })
    },
    async numbered({ path: specifier, pluginData, kind }) {
      const data = ownDataOf(pluginData)
      const imported = data?.kind === 'imports' ? data.images[Number(specifier.slice('pixpress:'.length))] : undefined
      if (imported === undefined) return undefined
      const loader = loaderOf(imported.image.planned.file) ?? 'file'
      return toImage(imported, { hash: '', loader: urlLoader(askedLoader(imported.query, loader)), kind })
    },
  }
  return resolver
}

/** Resolves an import to a module of a URL whose image could not be fetched. */
function toKept(url: string): OnResolveResult {
  const { name } = readRemoteUrl(url)!
  return { path: name, namespace: STORED_NAMESPACE, pluginData: withOwnData({ kind: 'stored', url }) }
}

/** Gives what `?inline` and `?no-inline` make of the loader that is set up. */
function askedLoader({ inline }: ReferenceQuery, usual: Loader): Loader {
  if (inline === true) return 'dataurl'
  return inline === false && usual !== 'copy' ? 'file' : usual
}

/** Where a URL is needed, loaders that give something else do not do. */
function urlLoader(loader: Loader): Loader {
  return loader === 'dataurl' ? loader : 'file'
}

/** Splits a path as esbuild does: one that names a file as it stands has neither query nor fragment. */
async function splitImport(session: Session, { path: specifier, resolveDir }: OnResolveArgs): Promise<UrlParts> {
  const { path: pathname, query, hash } = splitUrl(specifier)
  if (hash !== '' && (await isFile(session.files, path.resolve(resolveDir, specifier))))
    return { path: specifier, query: '', hash: '' }
  return { path: pathname, query, hash }
}
