import { HttpError } from '../http/http-error.ts'
import type { Picture } from './picture.ts'

/** The headers of a request that decide what is sent of a picture. */
export interface RequestHeaders {
  (name: 'if-none-match' | 'if-range' | 'range'): string | undefined
}

/** Facts about a picture that go out beside its bytes. */
export interface Facts {
  /** Seconds for which caches may keep it. */
  readonly maxAge: number
  /** Another `Accept` may get another picture at the same URL. */
  readonly varies: boolean
  readonly download: string | undefined
}

/** Bytes from the first to the last, both included. */
interface Range {
  readonly first: number
  readonly last: number
}

/**
 * Answers with a picture: whole, a range of it, or 304 where the client has it. https://www.rfc-editor.org/rfc/rfc9110
 * @param method only for ranges, which `HEAD` has none of
 * @throws HttpError `RangeNotSatisfiable`
 */
export function respond(picture: Picture, facts: Facts, method: string, header: RequestHeaders): Response {
  const { data, type, digest } = picture
  const tag = `"${digest.slice(0, 32)}"`
  const headers: Record<string, string> = {
    ETag: tag,
    'Cache-Control': `public, max-age=${facts.maxAge}`,
    ...(facts.varies && { Vary: 'Accept' }),
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (isKnown(header('if-none-match'), tag)) return new Response(null, { status: 304, headers })
  Object.assign(headers, {
    'Content-Type': type,
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    ...(facts.download !== undefined && { 'Content-Disposition': disposition(facts.download) }),
  })
  const condition = header('if-range')
  const isSame = condition === undefined || condition.trim() === tag
  const range = method === 'GET' && isSame ? readRange(header('range'), data.length) : undefined
  const body = range === undefined ? data : data.subarray(range.first, range.last + 1)
  headers['Content-Length'] = String(body.length)
  if (range !== undefined) headers['Content-Range'] = `bytes ${range.first}-${range.last}/${data.length}`
  return new Response(body as Uint8Array<ArrayBuffer>, { status: range === undefined ? 200 : 206, headers })
}

/** Tags are compared weakly, as proxies that compress make them weak. */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false
  return given.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')))
}

/**
 * Reads one range. Several, or another unit, are no error: the whole picture answers them.
 * @throws HttpError `RangeNotSatisfiable` for one that begins behind the end
 */
function readRange(text: string | undefined, length: number): Range | undefined {
  const [, from = '', to = ''] = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i.exec(text ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (first <= last) return { first, last }
  throw new HttpError('RangeNotSatisfiable', `The picture has ${length} bytes.`, {
    headers: { 'Content-Range': `bytes */${length}` },
  })
}

/** Names the file in which a browser saves the picture. https://www.rfc-editor.org/rfc/rfc6266 */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
