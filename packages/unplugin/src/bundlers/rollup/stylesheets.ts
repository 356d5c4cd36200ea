import path from 'node:path'
import MagicString from 'magic-string'
import { decodePath } from '../../references/url.ts'
import { diskFiles, isFile } from '../../base/files.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import type { Asset } from './hooks.ts'

/** Puts a file into the output, and gives its name there. */
export type EmitFile = (asset: Omit<Asset, 'type'>) => string

/** How the images of one text get into the output. */
export interface Emission {
  readonly emit: EmitFile
  /** Gives the URL of an emitted file, from its name in the output. */
  urlOf(fileName: string): string
}

/** Holds what a URL into the folder of finished images looks like, whatever it is relative to. */
const CACHE_URL = /[^\s"'()\\,;]*\/files\/([\da-f]{16}\/[^\s"'()\\,;?#]+)/g

/** Tells whether a text may hold such a URL, in a form that bundlers can filter by. */
export const MAY_HOLD_CACHE_URL: RegExp = /\/files\/[\da-f]{16}\//

/**
 * Emits the images that `unplugin-pixpress/postcss` has pointed a stylesheet at, and changes their URLs. Rollup and
 * Rolldown know no stylesheets: plugins write them as assets or as strings of scripts, with URLs as they are.
 * @returns `undefined` when there is none.
 */
export async function emitStyleImages(
  session: Session,
  text: string,
  { emit, urlOf }: Emission,
): Promise<MagicString | undefined> {
  const { root, workDir } = session.options
  const result = new MagicString(text)
  for (const match of text.matchAll(CACHE_URL)) {
    const file = path.join(workDir, 'files', decodePath(match[1]!))
    if (!(await isFile(diskFiles, file))) continue
    const source = session.sourceOf(file)
    const fileName = emit({
      name: path.basename(file),
      ...(source !== undefined && { originalFileName: relativePath(root, source) }),
      source: await diskFiles.readFile(file),
    })
    result.update(match.index, match.index + match[0].length, encodeURI(urlOf(fileName)))
  }
  return result.hasChanged() ? result : undefined
}
