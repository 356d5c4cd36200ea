import path from 'node:path'
import type { Plugin } from 'postcss'
import { distinctName } from '../core/distinct-name.ts'
import { toDataUrl } from '../core/data-url.ts'
import { finishReference, isOwnQuery } from '../core/image-module.ts'
import { isFile } from '../core/is-file.ts'
import type { Options } from '../core/options.ts'
import { createPostcssPlugin } from '../core/postcss-urls.ts'
import { decodePath, isExternal, splitUrl } from '../core/reference/url.ts'
import { openSession } from '../core/registry.ts'
import { relativePath } from '../core/relative-path.ts'
import type { Warn } from '../core/session.ts'

const warn: Warn = (message) => console.warn(`pixpress: ${message}`)

/**
 * Relative URLs are looked up from the stylesheet they stand in, those that begin with `/` from the root (the working
 * folder, unless `root` is given). What is written is relative to the stylesheet again.
 */
export function createStylesheetPlugin(options: Options = {}): Plugin {
  const session = openSession(options, process.cwd())
  const { root } = session.options
  return createPostcssPlugin(async ({ url, importer, use, addDependency }) => {
    if (isExternal(url)) return undefined
    const { path: urlPath, query, hash } = splitUrl(url)
    const folder = urlPath.startsWith('/') ? root : path.dirname(importer)
    const file = path.join(folder, decodePath(urlPath))
    if (!session.matches(file) || !isOwnQuery(query) || !(await isFile(file))) return undefined
    addDependency(file)
    const image = await finishReference(session, { file, query }, use, warn)
    if (image === undefined) return undefined
    if (session.parseQuery(query).inline === true) return toDataUrl(image)
    const address = await session.stored(image)
    if (address !== undefined) return address + hash
    const written = await session.writeToFile({ ...image, name: await distinctName(session, image) })
    const relative = relativePath(path.dirname(importer), written)
    return encodeURI(relative.startsWith('../') ? relative : `./${relative}`) + hash
  })
}
