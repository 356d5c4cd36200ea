/** Describes what Rollup and Rolldown hand to `resolveFileUrl`, as far as it is used here. */
export interface FileUrlArguments {
  /** Relative to the output folder. */
  fileName: string
  format: string
  referenceId: string
  /** Relative to the chunk that holds the reference, without a leading `./`. */
  relativePath: string
}

/**
 * A URL relative to the running script for the formats in which Rolldown's own would be relative to `undefined`, `iife`
 * and `umd`; `null` leaves the others to Rolldown. The expression is Rollup's (`getRelativeUrlFromDocument` in its
 * `MetaProperty.ts`).
 */
export function browserUrl({ format, relativePath }: FileUrlArguments): string | null {
  if (format !== 'iife' && format !== 'umd') return null
  const url = JSON.stringify(encodeURI(relativePath))
  const script =
    "document.currentScript && document.currentScript.tagName.toUpperCase() === 'SCRIPT' && document.currentScript.src || document.baseURI"
  const inBrowser = `new URL(${url}, typeof document === 'undefined' ? location.href : ${script}).href`
  if (format === 'iife') return `(${inBrowser})`
  const inNode = `require('url').pathToFileURL(require('path').join(__dirname, ${JSON.stringify(relativePath)})).href`
  return `(typeof document === 'undefined' && typeof location === 'undefined' ? ${inNode} : ${inBrowser})`
}

/**
 * Rolldown's options without its warning that plugins take long: a cold build's time goes into images, so that it would
 * come with every one. An option that the user has set stays.
 * @returns `null` when there is nothing to change
 */
export function withoutTimings<T extends object>(options: T): T | null {
  const checks: object =
    'checks' in options && typeof options.checks === 'object' && options.checks !== null ? options.checks : {}
  if ('pluginTimings' in checks || 'bundlerTimings' in checks) return null
  return { ...options, checks: { ...checks, pluginTimings: false } }
}
