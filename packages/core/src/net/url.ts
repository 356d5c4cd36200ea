import { isIP } from 'node:net'

/** The rule for a base URL. */
export interface BaseUrlRule {
  /** Refuses `http` for other machines than this one. */
  readonly encrypted: boolean
}

/**
 * Checks an http or https URL that others are made from by adding a path, hence without user, query or fragment.
 * @returns it without slashes at its end; `undefined` for anything else
 */
export function baseUrl(given: unknown, { encrypted }: BaseUrlRule): string | undefined {
  if (typeof given !== 'string' || !URL.canParse(given)) return undefined
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username + url.password + url.search + url.hash !== '') return undefined
  if (encrypted && !isEncryptedOrLocal(url)) return undefined
  return url.href.replace(/\/+$/, '')
}

/** Tells whether nobody can read on the way what is sent to a URL. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Tells whether this machine alone can reach a host: `localhost` and literal loopback addresses, IPv6 with or without
 * brackets. Other names are not looked up: their addresses can change.
 */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost') return true
  const [address = ''] = name.split('%', 1)
  if (isIP(address) === 4) return address.startsWith('127.')
  if (isIP(address) !== 6) return false
  // A URL has one spelling for each address.
  return /^\[::(?:1|ffff:7f[\da-f]{2}:[\da-f]{1,4})\]$/.test(new URL(`http://[${address}]`).hostname)
}
