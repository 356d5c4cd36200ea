import { ServerResponse } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'

/** Names whose usual spelling is not one capital per word. */
const SPELT: Readonly<Record<string, string>> = { 'www-authenticate': 'WWW-Authenticate', etag: 'ETag' }

/**
 * An answer whose header names go out in canonical case (`Location`, `Compression-Count`), however they were given:
 * HTTP does not distinguish case (RFC 9110 section 5.1), but official clients read names from tables that do, and
 * `Headers` of the web standard makes every name lower case.
 */
export class CanonicalResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(canonicalName(name), value)
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const given = rest.map((each) => (isHeaderTable(each) ? canonical(each) : each))
    return super.writeHead(status, ...(given as [OutgoingHttpHeaders]))
  }
}

const isHeaderTable = (given: unknown): given is OutgoingHttpHeaders =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

function canonical(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers) as [string, OutgoingHttpHeader][]
  return Object.fromEntries(entries.map(([name, value]) => [canonicalName(name), value]))
}

function canonicalName(name: string): string {
  const lower = name.toLowerCase()
  return SPELT[lower] ?? lower.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
}
