import path from 'node:path'
import type { OnLoadResult } from 'esbuild'
import { nameNewUrls } from '../../modules/new-url-imports.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { withMessages } from './messages.ts'
import { withOwnData } from './own-data.ts'

/**
 * Loads a script with the images of its `new URL('…', import.meta.url)` as imports, for esbuild itself takes no notice
 * of the expression. Scripts without one are left to other plugins and to esbuild.
 * @param withMap whether to add a source map.
 */
export async function loadWithNewUrls(
  file: string,
  session: Session,
  withMap: boolean,
): Promise<OnLoadResult | undefined> {
  const code = await session.files.readFile(file).then(
    (bytes) => bytes.toString('utf8'),
    // Esbuild reports a file that cannot be read.
    () => undefined,
  )
  if (code === undefined) return undefined
  const location = { file: relativePath(session.options.root, file) }
  return withMessages(async (warn) => {
    const named = await nameNewUrls(session, file, code, warn)
    if (named === undefined) return undefined
    const { text, imports } = named
    for (const [index, { name }] of imports.entries()) text.append(`\nimport ${name} from "pixpress:${index}";`)
    // A map that came with the file still fits, as lines do not change.
    const needsMap = withMap && !/[#@] ?sourceMappingURL=/.test(code)
    const map = text.generateMap({ source: path.basename(file), hires: 'boundary', includeContent: true })
    return {
      contents: text.toString() + (needsMap ? `\n//# sourceMappingURL=${map.toUrl()}` : ''),
      loader: 'default' as const,
      pluginData: withOwnData({ kind: 'imports', images: imports }),
      watchFiles: imports.map(({ image }) => image.planned.file),
    }
  }, location)
}
