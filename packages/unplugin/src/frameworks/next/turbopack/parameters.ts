/**
 * The parameters that requests of this plugin's own modules have beside their directives. Bundlers' parameters begin
 * with two underscores, so no directive is taken for one of them.
 */

/** The image that a stand-in stands for: a path relative to the project. */
const FILE = '__pixpress_file'

/** The extension of the type that an image is made in, where it is not its own. */
export const AS_PARAMETER = '__pixpress_as'

/** Adds the image's path to the query (with its `?`) of a stand-in; last, so that it can be taken away again. */
export const withFile = (query: string, file: string): string =>
  `${query}${query === '' ? '?' : '&'}${FILE}=${encodeURIComponent(file)}`

/** Adds the type to the query (with its `?`) of an image. */
export const withExtension = (query: string, extension: string): string => `${query}&${AS_PARAMETER}=${extension}`

/** Splits a stand-in's query into the image's path and the rest; without `file` where it is an ordinary one. */
export function splitFile(query: string): { file: string | undefined; query: string } {
  const at = query.lastIndexOf(`${FILE}=`)
  if (at === -1) return { file: undefined, query }
  return { file: decodeURIComponent(query.slice(at + FILE.length + 1)), query: query.slice(0, at - 1) }
}
