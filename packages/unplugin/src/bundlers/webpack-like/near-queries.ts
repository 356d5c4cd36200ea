import { isNearQuery, noteNearQuery } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'
import type { ImageBuild } from './image-build.ts'

/** Where one URL alone can stand: bundlers say which file refers to an image, and not how. */
const ONE_URL = /\.(?:css|pcss|postcss|scss|sass|less|styl|stylus|html?|xhtml|ejs|hbs|handlebars|mustache|njk|liquid)$/i

/**
 * Images with a query that is nearly one of directives, as `file?query`, and whether all that refers to them may have
 * more than one URL.
 */
const found = new WeakMap<ImageBuild, Map<string, boolean>>()

/**
 * Takes note of a reference whose query is nearly one of directives, so that the loader can tell what is meant as a
 * warning of the module.
 * @param file absolute path of the image
 * @param issuer absolute path of what refers to it
 * @returns whether it is one
 */
export function expectNearQuery(build: ImageBuild, file: string, query: ReferenceQuery, issuer: string): boolean {
  if (!isNearQuery(query)) return false
  const known = found.get(build) ?? new Map<string, boolean>()
  found.set(build, known)
  const key = file + query.text
  known.set(key, known.get(key) !== false && !ONE_URL.test(issuer.replace(/\?.*$/s, '')))
  return true
}

/** Says what a query means, where no other loader reads it. */
export function tellNearQuery(context: ImageLoaderContext, query: ReferenceQuery, build: ImageBuild): void {
  const { resourcePath: file, loaders = [] } = context
  if (loaders.length > 1) return
  const isImport = found.get(build)?.get(file + query.text) === true
  noteNearQuery(build.session, { file, query, isImport }, (message) => emitNotice(context, message))
}
