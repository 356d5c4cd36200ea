import path from 'node:path'
import type { Plugin } from 'postcss'
import { deliverUrl } from '../modules/deliver.ts'
import { lighterUrl } from '../modules/pictures-inside.ts'
import { distinctName } from '../modules/distinct-name.ts'
import { finishReference, readQuery } from '../modules/reference.ts'
import { createPostcssPlugin } from '../references/postcss-urls.ts'
import type { RewriteUrl } from '../references/postcss-urls.ts'
import { decodePath, isExternal, splitUrl } from '../references/url.ts'
import { checkOptions } from '../session/options/check-options.ts'
import { isFile } from '../base/files.ts'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Options } from '../session/options/options.ts'
import { relativeUrl } from '../base/paths.ts'
import { openSession } from '../session/registry.ts'
import { watchedFiles } from '../session/plan/focus.ts'

const warn: Warn = (message) => console.warn(`pixpress: ${message}`)

/**
 * Relative URLs are looked up from the stylesheet they stand in, those that begin with `/` from the root (the working
 * folder, unless `root` is given). The written URL is relative to the stylesheet again.
 */
export function createStylesheetPlugin(options: Options = {}): Plugin {
  checkOptions(options)
  const session = openSession(options, process.cwd())
  const { root } = session.options
  const rewrite: RewriteUrl = async ({ url, importer, use, place, addDependency }) => {
    if (place !== undefined) return lighterUrl(session, { url, file: importer, place }, warn)
    const remote = await session.remote.locate(url, warn)
    if (remote === undefined && isExternal(url)) return undefined
    const { path: urlPath, query: text, hash } = remote === undefined ? splitUrl(url) : { path: '', ...remote }
    const folder = urlPath.startsWith('/') ? root : path.dirname(importer)
    const file = remote?.file ?? path.join(folder, decodePath(urlPath))
    if (!session.matches(file)) return undefined
    const query = readQuery(text)
    if (!query.isOwn || !(await isFile(session.files, file))) return undefined
    for (const each of await watchedFiles(session.files, file, query)) addDependency(each)
    const image = await finishReference(session, { file, query }, use, warn)
    if (image === undefined) return undefined
    async function emit(finished: FinishedImage): Promise<string> {
      const written = await session.writeToFile({ ...finished, name: await distinctName(session, finished) })
      return relativeUrl(path.dirname(importer), written)
    }
    return deliverUrl(session, image, { inline: query.inline === true, emit }, hash)
  }
  return createPostcssPlugin(rewrite, session.remote.takes)
}
