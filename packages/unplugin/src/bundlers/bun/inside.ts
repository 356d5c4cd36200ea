import { realpath } from 'node:fs/promises'
import { withLighterPictures } from '../../modules/pictures-inside.ts'
import type { TextKind } from '../../modules/pictures-inside.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { LoadArguments, LoadResult } from './bun-api.ts'

/** Texts that pictures stand in. */
export const TEXT_FILE: RegExp = /\.(?:css|json|html?)$/i

/** The kinds of text, by the loaders of Bun that read them. */
const KINDS: Readonly<Record<string, TextKind>> = { css: 'css', json: 'json', html: 'html' }

/**
 * Loads a text with its pictures compressed. One whose pictures are no smaller is left to other plugins and to Bun.
 * HTML is a page where it is an entry: scripts import it as text, which Bun does not tell plugins.
 * @param pages absolute paths of the pages
 */
export async function loadLighterText(
  { path: file, loader }: LoadArguments,
  { session, pages }: { readonly session: Session; readonly pages: Promise<ReadonlySet<string>> },
  warn: Warn,
): Promise<LoadResult | undefined> {
  const as = KINDS[loader]
  if (as === undefined || (as === 'html' && !(await pages).has(file))) return undefined
  const text = await session.files.readFile(file).then(
    (bytes) => bytes.toString('utf8'),
    // Bun reports a file that cannot be read.
    () => '',
  )
  const contents = await withLighterPictures(session, { text, as, file }, warn)
  return contents === text ? undefined : { contents, loader }
}

/** Resolves links, as Bun does in the paths of files that it loads. */
export async function realPaths(files: readonly string[]): Promise<ReadonlySet<string>> {
  // Bun reports a file that is not there.
  return new Set(await Promise.all(files.map((file) => realpath(file).catch(() => file))))
}
