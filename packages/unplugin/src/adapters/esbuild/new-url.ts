import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { OnLoadResult } from 'esbuild'
import MagicString from 'magic-string'
import { finishReference } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import { findNewUrls } from '../../core/reference/new-url.ts'
import { decodePath, splitUrl } from '../../core/reference/url.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { Session, Warn } from '../../core/session.ts'
import { withMessages } from './messages.ts'
import { withOwnData } from './own-data.ts'
import type { ImportedImage } from './own-data.ts'

/**
 * Loads a script with every `new URL('./a.png', import.meta.url)` of an image changed to `new URL(name, import.meta.url)`
 * and an import of that name, for esbuild itself takes no notice of the expression. Scripts without one are left to other
 * plugins and to esbuild.
 * @param withMap Whether to add a source map.
 */
export async function loadWithNewUrls(
  file: string,
  session: Session,
  withMap: boolean,
): Promise<OnLoadResult | undefined> {
  const code = await readFile(file, 'utf8').catch(() => undefined)
  // What cannot be read is esbuild's to report.
  if (code === undefined) return undefined
  return withMessages(async (warn) => {
    const text = new MagicString(code)
    const prefix = unusedPrefix(code)
    const images: ImportedImage[] = []
    for (const { url, start, end } of findNewUrls(code)) {
      const { path: pathname, query, hash } = splitUrl(url)
      const image = await find(session, file, pathname, query, warn)
      if (image === undefined) continue
      const suffix = hash === '' ? '' : ` + ${JSON.stringify(hash)}`
      // The reference's offsets are inside of its quotes.
      text.update(start - 1, end + 1, `${prefix}${images.length}${suffix}`)
      images.push({ image, query })
    }
    if (images.length === 0) return undefined
    for (const index of images.keys()) text.append(`\nimport ${prefix}${index} from "pixpress:${index}";`)
    // A map that came with the file still fits: all that was replaced stands on its line as before.
    const needsMap = withMap && !/[#@] ?sourceMappingURL=/.test(code)
    const map = text.generateMap({ source: path.basename(file), hires: 'boundary', includeContent: true })
    return {
      contents: text.toString() + (needsMap ? `\n//# sourceMappingURL=${map.toUrl()}` : ''),
      loader: 'default' as const,
      pluginData: withOwnData({ kind: 'imports', images }),
      watchFiles: images.map(({ image }) => image.planned.file),
    }
  }, { file: relativePath(session.options.root, file) })
}

async function find(
  session: Session,
  module: string,
  pathname: string,
  query: string,
  warn: Warn,
): Promise<ImportedImage['image'] | undefined> {
  const file = path.resolve(path.dirname(module), decodePath(pathname))
  const isOurs = !pathname.startsWith('/') && session.matches(file) && (await isFile(file))
  return isOurs ? finishReference(session, { file, query }, 'content', warn) : undefined
}

function unusedPrefix(code: string): string {
  let prefix = '__pixpress_'
  while (code.includes(prefix)) prefix += '_'
  return prefix
}
