import type { Files } from '../base/files.ts'
import { SHOWING_FILE, isOnlyShown } from '../references/shown-imports.ts'
import { splitUrl } from '../references/url.ts'

/** Marks the id of an SVG that is imported for `<img>` alone. Parameters of bundlers begin with two underscores. */
const SHOWN = '?__pixpress=shown'

/** Ids and specifiers of SVG, without a query. */
export const DRAWING: RegExp = /\.svg$/i

/** Tells whether an SVG is imported for `<img>` alone. */
export const isShownAlone = (query: string): boolean => query === SHOWN

/**
 * Adds the mark to the id of an SVG that a script or component shows in `<img>` alone: such imports get a module of
 * their own, as another script may put the same file into the page.
 * @param specifier as it stands in the importer
 * @returns `undefined` for other imports
 */
export async function shownId(
  files: Pick<Files, 'readFile'>,
  specifier: string,
  importer: string,
  resolve: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const file = splitUrl(importer).path
  if (!DRAWING.test(specifier) || !SHOWING_FILE.test(file)) return undefined
  // A module that a plugin has made up cannot be read.
  const text = await files.readFile(file).catch(() => undefined)
  if (text === undefined || !isOnlyShown(text.toString('utf8'), specifier)) return undefined
  const id = await resolve()
  return id === undefined || !DRAWING.test(id) ? undefined : id + SHOWN
}
