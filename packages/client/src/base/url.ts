/**
 * Returns the service's base URL, ending with a slash. The key goes to this origin and to no other, and only over an
 * encrypted connection or inside this machine.
 * @throws TypeError
 */
export function resolveEndpoint(value: string | URL): URL {
  const url = parse('endpoint', value)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError("Expected an 'endpoint' without user name and password: the key goes into 'key'.")
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError("Expected an 'endpoint' without query and fragment.")
  if (!isEncryptedOrLocal(url)) {
    const hint = url.protocol === 'http:' ? ' Unencrypted URLs are for this machine only (127.0.0.1).' : ''
    throw new TypeError(`Expected an https URL for 'endpoint' but received '${url.href}'.${hint}`)
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** @throws TypeError that does not show the URL, which may hold a password */
export function resolveProxy(value: string | URL): URL {
  const url = parse('proxy', value)
  if (!isPercentEncoded(url.username) || !isPercentEncoded(url.password)) {
    throw new TypeError("Expected the user name and password of 'proxy' in percent-encoding: '%' is written '%25'.")
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw new TypeError(`Expected an http or https URL for 'proxy' but received one of '${url.protocol}'.`)
}

/** Tells whether nobody can read on the way what is sent to a URL. */
export function isEncryptedOrLocal(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/**
 * Tells whether a host is `localhost` or a literal loopback address. Other names are not looked up: their addresses can
 * change.
 */
function isLoopback(hostname: string): boolean {
  // URLs have written every IPv4 address in its four decimal numbers.
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function isPercentEncoded(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text)
}

function parse(option: string, value: string | URL): URL {
  // A copy, so that the caller's object can change without us.
  const url = URL.canParse(String(value)) ? new URL(value) : undefined
  if (url !== undefined && url.hostname !== '') return url
  throw new TypeError(`Expected an absolute URL for '${option}'.`)
}
