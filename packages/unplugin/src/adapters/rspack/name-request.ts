import path from 'node:path'
import type { Compiler } from '@rspack/core'
import { IMAGE_FILE, isAlwaysInlined, speakOfQuery } from '../webpack-like/default-rules.ts'
import type { ImageBuild } from '../webpack-like/image-build.ts'
import { lazyPath } from '../webpack-like/lazy-path.ts'
import { deliveryQuery, kindOf, nameQuery, ruleQuery, withSpec } from '../webpack-like/query.ts'
import { escapePath, parseResource } from '../webpack-like/resource.ts'
import type { ImageUse } from '../../core/session.ts'
import { storedPath } from './stored-path.ts'

export type NormalModuleFactory = Parameters<Parameters<Compiler['hooks']['normalModuleFactory']['tap']>[1]>[0]
type ResolveData = Parameters<Parameters<NormalModuleFactory['hooks']['beforeResolve']['tapPromise']>[1]>[0]

/** What requests are named with. */
export interface Naming {
  readonly build: ImageBuild
  /** The source of every path that a module goes by. */
  readonly sources: Map<string, string>
  /** Absolute path of the project. */
  readonly context: string
  /** The project's own. */
  rules(): unknown
}

/** What the module of an import with directives goes by. No rule of the project is for it. */
export const MODULE_NAME: RegExp = /\.pixpress$/

/**
 * Rewrites the request of an image to `<name>!=!<request>`, where the name is not the file's own. A request that already
 * has loaders or a name is somebody's explicit wish.
 */
export async function nameRequest(data: ResolveData, factory: NormalModuleFactory, naming: Naming): Promise<void> {
  const { request, context, contextInfo } = data
  const { file: asked, query, fragment } = parseResource(request)
  if (!IMAGE_FILE.test(asked) || request.includes('!') || /^[a-z][a-z\d+.-]+:/i.test(asked)) return
  const kind = kindOf(query)
  if (kind === 'foreign') return
  const file = await resolveFile(factory, context, asked)
  if (file === undefined || !naming.build.session.matches(file)) return
  const use = await naming.build.useOf(contextInfo.issuer, file)
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
  const address = isLazy || isInlined(query, file, naming) ? undefined : await store(naming, file, query, use)
  const name = address === undefined ? path.join(folder, image.name) : storedPath(naming.context, address)
  const kept = keptQuery(query, naming)
  if (name === file && use === 'content' && kept === query) return
  naming.sources.set(name, file)
  // The same file as an icon and as an image of the page are two modules.
  const resource = use === 'icon' ? `${escapePath(asked)}${withSpec(query, { use })}${fragment}` : request
  data.request = `${escapePath(name)}${kept}${fragment}!=!${resource}`
}

/** The address of the image in a store, where builds have one. */
async function store({ build }: Naming, file: string, query: string, use: ImageUse): Promise<string | undefined> {
  if (build.session.options.store === undefined || process.env.WEBPACK_SERVE === 'true') return undefined
  const image = await build.finish(file, query, use).catch(() => {
    // The loader runs into the same, and can tell it as an error of this module.
    return undefined
  })
  return image === undefined ? undefined : build.session.stored(image)
}

/** Rules are asked about the name's query, which also becomes part of the asset's; a flag stays only where one asks. */
function keptQuery(query: string, { rules }: Naming): string {
  const asked = ruleQuery(query)
  return deliveryQuery(query) === '?inline' || speakOfQuery(rules(), asked) ? asked : nameQuery(query)
}

function isInlined(query: string, file: string, { rules }: Naming): boolean {
  return deliveryQuery(query) === '?inline' || isAlwaysInlined(rules(), file)
}

/** The file of a request. What kind of reference it is is not known yet: bare names are packages first, then siblings. */
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
