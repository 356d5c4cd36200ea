/** The three parts of a relative URL. */
export interface UrlParts {
  path: string
  /** With its `?`, or empty. */
  query: string
  /** With its `#`, or empty. */
  hash: string
}

/** Splits a relative URL; the three parts joined are the URL again. */
export function splitUrl(url: string): UrlParts {
  const hashAt = url.indexOf('#')
  const beforeHash = hashAt === -1 ? url : url.slice(0, hashAt)
  const queryAt = beforeHash.indexOf('?')
  return {
    path: queryAt === -1 ? beforeHash : beforeHash.slice(0, queryAt),
    query: queryAt === -1 ? '' : beforeHash.slice(queryAt),
    hash: hashAt === -1 ? '' : url.slice(hashAt),
  }
}

const EXTERNAL = /^(?:$|#|\/\/|[a-z][a-z\d+.-]*:)/i

/**
 * Tells whether a URL cannot name a file of the project: empty, only a fragment, with a scheme (`https:`, `data:`,
 * `blob:`, `about:` …) or with a host (`//host/a.png`).
 */
export function isExternal(url: string): boolean {
  return EXTERNAL.test(normalizeUrl(url))
}

/** Tells which URLs a finder of references takes. */
export type TakesUrl = (url: string) => boolean

/** Tells whether a URL can name a file of the project as it is written. */
export const mayNameFile: TakesUrl = (url) => !isExternal(url) && !isTemplated(url)

const SPACE = 0x20

/**
 * Gives what the URL parser reads: control characters and spaces at the ends, tabs and line breaks anywhere are dropped
 * (https://url.spec.whatwg.org/#concept-basic-url-parser, steps 1 to 3).
 */
export function normalizeUrl(url: string): string {
  let start = 0
  let end = url.length
  while (start < end && url.charCodeAt(start) <= SPACE) start++
  while (end > start && url.charCodeAt(end - 1) <= SPACE) end--
  return url.slice(start, end).replace(/[\t\n\r]+/g, '')
}

/**
 * Tells whether a URL holds a placeholder that a template engine or preprocessor fills in later, so that it names no
 * file yet: `{{ x }}`, `{% x %}`, `<%= x %>`, `<?php ?>`, `${x}`, `#{$x}`, `@{x}`, `%BASE_URL%`.
 */
export function isTemplated(url: string): boolean {
  return /\{\{|\{%|<[%?]|[$#@]\{/.test(url) || (/%[a-z_]\w*%/i.test(url) && !isWellEncoded(url))
}

// `%E4%BA%8C.png` looks like a placeholder `%E4%`, but no placeholder's name between `%`s decodes as UTF-8.
function isWellEncoded(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    // A URIError is the answer that was asked for.
    return false
  }
}

const ENCODED_CHARACTER =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi

/** Percent decoding of a URL's path to a file's path. Text that is not valid UTF-8 stays as it is; never throws. */
export function decodePath(path: string): string {
  return path.replace(ENCODED_CHARACTER, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // An overlong form or a surrogate: of the shape of UTF-8, but not UTF-8.
      return encoded
    }
  })
}
