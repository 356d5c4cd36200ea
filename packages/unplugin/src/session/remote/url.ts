import { sha256 } from '@pixpress/core/internal'

/** An http or https URL of an image as it is written in a project. */
export interface RemoteUrl {
  /** The URL that is asked for: without a fragment. */
  readonly url: URL
  /** Directives with their `?`, or empty. */
  readonly query: string
  /** Any other fragment with its `#`, or empty. */
  readonly hash: string
  /** The URL as messages, reports and locks have it: a query, which may hold a key, is shown as a digest. */
  readonly name: string
}

/** Begins a fragment of directives: the query itself is the other server's. */
const DIRECTIVES = '#?'

/** Digits of the digest that stands for a query. */
const DIGITS = 8

/**
 * Takes a URL apart. Directives stand behind `#?`, as a fragment is never sent: `https://host/a.jpg?w=800#?w=400`.
 * @returns `undefined` for anything but an http or https URL
 */
export function readRemoteUrl(text: string): RemoteUrl | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isOurs = url.hash.startsWith(DIRECTIVES)
  const [query, hash] = isOurs ? [url.hash.slice(1), ''] : ['', url.hash]
  url.hash = ''
  const search = url.search === '' ? '' : `?sha256=${sha256(Buffer.from(url.search)).slice(0, DIGITS)}`
  return { url, query, hash, name: `${url.origin}${url.pathname}${search}` }
}
