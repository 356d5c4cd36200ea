/** Global, as packages for frameworks may load another copy of this module than the bundle for Vite is. */
const ENDPOINTS = Symbol.for('pixpress.endpoints')

type Holder = { [ENDPOINTS]?: Set<string> }

/**
 * Tells the inspector's overlay that URLs are answered by pixpress although they do not look so.
 * @param prefix what their paths begin with, with the site's base: `/_image`
 */
export function addEndpoint(prefix: string): void {
  ;((globalThis as Holder)[ENDPOINTS] ??= new Set()).add(prefix)
}

/** Returns the prefixes that `addEndpoint` has added, sorted. */
export const knownEndpoints = (): readonly string[] => [...((globalThis as Holder)[ENDPOINTS] ?? [])].sort()
