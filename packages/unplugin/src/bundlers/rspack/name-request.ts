import path from 'node:path'
import type { Compiler } from '@rspack/core'
import { isAlwaysInlined, speakOfQuery } from '../webpack-like/default-rules.ts'
import { notePlace } from '../../inspector/places.ts'
import { deliver } from '../../modules/deliver.ts'
import { noteLeftAlone, readQuery } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import type { ImageUse } from '../../references/types.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { ImageBuild } from '../webpack-like/image-build.ts'
import { lazyPath } from '../webpack-like/names.ts'
import { expectNearQuery } from '../webpack-like/near-queries.ts'
import { deliveryQuery, requestKindOf, nameQuery, readSpec, ruleQuery, withSpec } from '../webpack-like/query.ts'
import { escapePath, parseResource } from '../webpack-like/resource.ts'
import { storedPath } from './stored-path.ts'

/** Rspack's factory of normal modules, which it does not export as a type. */
export type NormalModuleFactory = Parameters<Parameters<Compiler['hooks']['normalModuleFactory']['tap']>[1]>[0]
type ResolveData = Parameters<Parameters<NormalModuleFactory['hooks']['beforeResolve']['tapPromise']>[1]>[0]

/** Describes what requests are named with. */
export interface Naming {
  readonly build: ImageBuild
  /** The source of every path that a module is named by. */
  readonly sources: Map<string, string>
  /** The bytes of sources that rules decide about, by the same paths. */
  readonly sizes: Map<string, number>
  /** Absolute path of the project. */
  readonly context: string
  /** Tells whether a dev server asked for the build. */
  readonly isServed: boolean
  /** The project's own. */
  rules(): unknown
}

/** The extension that names the module of an import with directives. No rule of the project applies to it. */
export const MODULE_NAME: RegExp = /\.pixpress$/

/**
 * Rewrites the request of an image to `<name>!=!<request>`, where the name is not the file's own. A request that
 * already has loaders or a name is somebody's explicit wish.
 */
export async function nameRequest(data: ResolveData, factory: NormalModuleFactory, naming: Naming): Promise<void> {
  const { request, context, contextInfo } = data
  const { file: asked, query: text, fragment } = parseResource(request)
  if (!IMAGE_FILE.test(asked) || request.includes('!') || /^[a-z][a-z\d+.-]+:/i.test(asked)) return
  const query = readQuery(text)
  const kind = requestKindOf(query)
  if (kind === 'foreign' && query.raw) return
  const file = await resolveFile(factory, context, asked)
  if (file === undefined || !naming.build.session.matches(file)) return
  if (kind === 'foreign') {
    noteLeftAlone(naming.build.session, { file, query })
    expectNearQuery(naming.build, file, query, contextInfo.issuer)
    return
  }
  if (!MODULE_NAME.test(contextInfo.issuer)) notePlace(naming.build.session, file, contextInfo.issuer)
  const use = await naming.build.useOf(contextInfo.issuer, file, asked)
  const isLazy = naming.build.isLazy && kind !== 'original' && !isInlined(query, file, naming)
  const image = await naming.build.resolve(file, query, { use, isLazy }).catch(() => {
    // The loader runs into the same, and can tell it as an error of this module.
    return undefined
  })
  if (image === undefined) {
    // Directives that do not come to one image, or that are wrong, are the module's business.
    if (kind === 'directives') data.request = `${escapePath(file)}.pixpress!=!${request}`
    return
  }
  const folder = isLazy ? path.join(naming.context, lazyPath(image.id, '')) : path.dirname(file)
  const url = isLazy || isInlined(query, file, naming) ? undefined : await store(naming, file, query, use)
  const name = url === undefined ? path.join(folder, image.name) : storedPath(naming.context, url)
  if (kind === 'image' && readSpec(text).operations === undefined) {
    naming.sizes.set(name, (await naming.build.session.files.stat(file))?.size ?? 0)
  }
  const kept = keptQuery(query, naming)
  if (name === file && use === 'content' && kept === text) return
  naming.sources.set(name, file)
  // The same file as an icon and as an image of the page are two modules.
  const resource = use === 'content' ? request : `${escapePath(asked)}${withSpec(text, { use })}${fragment}`
  data.request = `${escapePath(name)}${kept}${fragment}!=!${resource}`
}

/** The URL of the image in a store, where builds have one. */
async function store(
  { build, isServed }: Naming,
  file: string,
  query: ReferenceQuery,
  use: ImageUse,
): Promise<string | undefined> {
  if (build.session.options.store === undefined || isServed) return undefined
  const image = await build.finish(file, query, use).catch(() => {
    // The loader runs into the same, and can tell it as an error of this module.
    return undefined
  })
  if (image === undefined) return undefined
  // Rspack itself emits images that are not uploaded.
  const delivered = await deliver(build.session, image, { emit: () => undefined })
  return delivered.by === 'emit' ? undefined : delivered.url
}

/** Rules are asked about the name's query, which also becomes part of the asset's; a flag stays only where one asks. */
function keptQuery(query: ReferenceQuery, { rules }: Naming): string {
  const asked = ruleQuery(query)
  return deliveryQuery(query) === '?inline' || speakOfQuery(rules(), asked) ? asked : nameQuery(query)
}

function isInlined(query: ReferenceQuery, file: string, { rules }: Naming): boolean {
  return deliveryQuery(query) === '?inline' || isAlwaysInlined(rules(), file)
}

/**
 * The file of a request. The kind of the reference is not known yet: bare names are packages first, then siblings.
 */
async function resolveFile(factory: NormalModuleFactory, context: string, asked: string): Promise<string | undefined> {
  for (const dependencyType of ['esm', 'url']) {
    const resolver = factory.getResolver('normal', { dependencyType })
    const found = await new Promise<string | undefined>((resolve) => {
      // An error means that there is no such file, which the bundler itself will find out and tell.
      resolver.resolve({}, context, asked, {}, (error, result) => resolve(error || !result ? undefined : result))
    })
    if (found !== undefined) return parseResource(found).file
    if (/^(?:\.{1,2}[\\/]|[\\/])/.test(asked)) return undefined
  }
  return undefined
}
