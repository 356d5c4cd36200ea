import { HttpError } from '../http/http-error.ts'

/** The parts of a delivery URL, decoded. */
export interface DeliveryPath {
  readonly signature: string
  /** `w=640;quality=70`; `-` for none. */
  readonly operations: string
  /** The name of a source, and the segments of a path in it: at least one. */
  readonly source: readonly [name: string, first: string, ...rest: string[]]
  /** The text that is signed: everything behind the signature, in the one way in which it can be written. */
  readonly signed: string
}

/**
 * Reads `/i/<signature>/<operations>/<source>`. Proxies may decode or encode characters on the way, so the text that is
 * signed is not the text that came: each segment is decoded, and encoded again.
 * @param pathname as it came, its escapes untouched
 * @throws HttpError `NotFound` for another path, `BadRequest` for an escape that is none
 */
export function readPath(pathname: string): DeliveryPath {
  const [, , signature = '', ...segments] = pathname.split('/')
  const [operations = '', name, first, ...rest] = segments.map(decode)
  if (signature === '' || operations === '' || name === undefined || first === undefined) throw notFound()
  // Nothing that a folder or a bucket would take for a step elsewhere.
  if ([name, first, ...rest].some((segment) => !isPlainSegment(segment))) throw notFound()
  return {
    signature,
    operations,
    source: [name, first, ...rest],
    signed: signedText([operations, name, first, ...rest]),
  }
}

/** Writes the text that is signed. @param segments the operations, and those of the source, decoded */
export const signedText = (segments: readonly string[]): string => `/${segments.map(encodeSegment).join('/')}`

const notFound = (): HttpError =>
  new HttpError('NotFound', 'Expected a URL such as /i/<signature>/<operations>/<source>.')

const isPlainSegment = (segment: string): boolean => !/^\.{0,2}$|[/\\\0]/.test(segment)

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    throw new HttpError('BadRequest', "A '%' in the URL begins no character.", { cause: error })
  }
}

/** Encodes as `@pixpress/client/delivery` does. */
function encodeSegment(text: string): string {
  if (/^[\w.~*=;:@-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll(/%(?:3D|3B|3A|40)|[!'()]/g, (each) =>
    each.startsWith('%') ? decodeURIComponent(each) : `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
