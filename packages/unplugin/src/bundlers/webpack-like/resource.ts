/** A module's resource in its parts. */
export interface Resource {
  /** Absolute path, or a path as it is requested. */
  readonly file: string
  /** With its `?`, or empty. */
  readonly query: string
  /** With its `#`, or empty. */
  readonly fragment: string
}

/**
 * Splits a resource as webpack does (`lib/util/identifier.js`, `parseResource`): a null byte before a `?` or `#` makes
 * it part of the path or query.
 */
export function parseResource(resource: string): Resource {
  const [, file = resource, query = '', fragment = ''] =
    /^((?:\0.|[^?#\0])*)(\?(?:\0.|[^#\0])*)?(#.*)?$/s.exec(resource) ?? []
  return { file: unescaped(file), query: unescaped(query), fragment }
}

const unescaped = (text: string): string => text.replace(/\0(.)/gs, '$1')

/** The path as the beginning of a resource or request. */
export function escapePath(file: string): string {
  return file.replaceAll(/[#?\0]/g, '\0$&')
}
