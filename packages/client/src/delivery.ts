/**
 * URLs of pictures that a pixpress server delivers: `<endpoint>/i/<signature>/<operations>/<source>`. It runs wherever
 * there is WebCrypto: in Node, in functions at the edge, in browsers. A key belongs where pages are made, never into a
 * page: what a page may hold is a signed template, whose width `atWidth` fills in.
 */

/**
 * The operations on a picture, by their words: `{ w: 640, quality: 'balanced', grayscale: true }`. `false` and
 * `undefined` ask for nothing. `w: '*'` makes a template, for any of the server's widths.
 */
export type DeliveryOperations = Readonly<Record<string, string | number | boolean | undefined>>

/** The server and its signing key. */
export interface DeliveryOptions {
  /** Base URL of the server, or a path of the page's own origin. */
  endpoint: string | URL
  /** One of the server's `PIXPRESS_DELIVERY_KEYS`. */
  key: string
}

/** This text precedes every signed path, so that a key that signs other things as well signs no picture by chance. */
const PURPOSE = 'pixpress-delivery-1\n'

/** The part of an operation that gives the width, in a template. */
const OPEN_WIDTH = 'w=*'

/** The widths that a server fills into templates which sets none. */
export const DELIVERY_WIDTHS: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 768, 828, 960, 1024, 1080, 1200, 1280, 1536, 1600, 1668, 1920,
  2048, 2560, 3072, 3200, 3840,
]

/** Operations that ask for nothing but the compressed picture. */
const NOTHING = '-'

/**
 * Makes the signed URL of a picture. Equal operations give equal URLs, in whatever order they are written.
 * @param source an `http` or `https` URL; or `<name>/<path>` in one of the server's sources; or `output/<id>`
 * @throws TypeError for an empty source or word, or a key of less than 32 characters
 */
export async function deliveryUrl(
  source: string,
  operations: DeliveryOperations,
  { endpoint, key }: DeliveryOptions,
): Promise<string> {
  const path = deliveryPath(source, operations)
  return `${String(endpoint).replace(/\/+$/, '')}/i/${await sign(path, key)}${path}`
}

/**
 * Signs the part of a URL behind the signature: HMAC-SHA-256, in the Base64 of URLs.
 * @param path as `deliveryPath` writes it
 * @throws TypeError for a key of less than 32 characters
 */
export async function sign(path: string, key: string): Promise<string> {
  if (key.length < 32) throw new TypeError('A signing key must have at least 32 characters.')
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', text.encode(key), algorithm, false, ['sign'])
  return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, text.encode(PURPOSE + path))))
}

/**
 * Writes the part of a URL behind the signature: `/<operations>/<source>`, which is what is signed.
 * @throws TypeError for an empty source or word
 */
export function deliveryPath(source: string, operations: DeliveryOperations = {}): string {
  const parts = Object.entries(operations).flatMap(([word, value]) => {
    if (!/^[a-z][\w-]*$/i.test(word)) throw new TypeError(`'${word}' is no word of an operation.`)
    if (value === undefined || value === false) return []
    return value === true ? [word] : [`${word}=${value}`]
  })
  const written = parts.length === 0 ? NOTHING : parts.sort().join(';')
  return `/${[written, ...segmentsOf(source)].map(encodeSegment).join('/')}`
}

/**
 * Fills a width into a signed template: the next of the server's widths that is not smaller, or the largest of them.
 * Components ask for any width, and the server delivers none but its own.
 * @param widths the server's `PIXPRESS_DELIVERY_WIDTHS`. Default: those of a server that sets none
 */
export function atWidth(template: string, width: number, widths: readonly number[] = DELIVERY_WIDTHS): string {
  return template.replace(OPEN_WIDTH, `w=${nextWidth(width, widths)}`)
}

/**
 * Makes the value of `srcset` from a signed template, each of the server's widths once.
 * @param asked the widths that are wished for
 * @param widths as of `atWidth`
 */
export function srcset(
  template: string,
  asked: readonly number[],
  widths: readonly number[] = DELIVERY_WIDTHS,
): string {
  const all = new Set(asked.map((width) => nextWidth(width, widths)))
  return Array.from(all, (width) => `${atWidth(template, width, widths)} ${width}w`).join(', ')
}

function nextWidth(width: number, widths: readonly number[]): number {
  const enough = widths.filter((each) => each >= width)
  return enough.length > 0 ? Math.min(...enough) : Math.max(...widths)
}

function segmentsOf(source: string): string[] {
  if (/^https?:\/\//i.test(source)) return ['url', base64url(new TextEncoder().encode(source))]
  const segments = source.replace(/^\//, '').split('/')
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new TypeError(`Expected a URL or '<name>/<path>' as the source, not '${source}'.`)
  }
  return segments
}

/** Encodes what could mean something else in a URL, an attribute, a `srcset` or a stylesheet. */
function encodeSegment(text: string): string {
  return text.replace(/[^\w.~*=;:@-]/gu, (character) =>
    encodeURIComponent(character).replace(/[!'()]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
