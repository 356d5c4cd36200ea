import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One container of a storage account. */
export interface AzureAccount {
  readonly account: string
  /** Base64. */
  readonly key: string
  /** Anybody may read what is in it. */
  readonly container: string
}

/**
 * Azure Blob Storage as its documentation has it, on this machine: Put Blob, Get Blob and Get Blob Properties in one
 * public container, by Shared Key or by a shared access signature of the container.
 */
export interface AzureDouble {
  readonly endpoint: string
  /** Every request: method, URL and headers as they came. */
  readonly requests: readonly { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

interface Blob {
  readonly body: Buffer
  readonly type: string
  readonly cacheControl: string | undefined
}

/** A refusal of the service: status, code and message. */
type Refusal = readonly [status: number, code: string, message: string]

const FAILED: Refusal = [403, 'AuthenticationFailed', 'Server failed to authenticate the request.']

/** Minutes by which a request's time may differ from the server's. */
const MOST_SKEW = 15

/** Makes a shared access signature of the whole container (service SAS, version 2020-12-06). */
export function azureContainerSas({ account, key, container }: AzureAccount, rights: string, expiry: Date): string {
  const se = `${expiry.toISOString().slice(0, 19)}Z`
  const given = { sp: rights, st: '', se, sv: '2020-12-06', sr: 'c', spr: '' }
  const sig = sign(key, sasText(given, `/blob/${account}/${container}`))
  return new URLSearchParams({ sv: given.sv, sp: given.sp, se, sr: 'c', sig }).toString()
}

/** Starts a server that answers like Azure Blob Storage, for one container. */
export async function startAzureDouble(settings: AzureAccount): Promise<AzureDouble> {
  const blobs = new Map<string, Blob>()
  const requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = []
  const server = http.createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers })
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const refused = judge(request, body, settings)
    if (refused !== undefined) return refuse(response, method, refused)
    const name = decodeURIComponent(url.split('?')[0]!)
    if (method === 'PUT') {
      const type = headers['x-ms-blob-content-type'] ?? headers['content-type'] ?? 'application/octet-stream'
      const cacheControl = headers['x-ms-blob-cache-control'] as string | undefined
      blobs.set(name, { body, type: String(type), cacheControl })
      response.writeHead(201, { 'content-length': 0 }).end()
      return
    }
    const blob = blobs.get(name)
    if (blob === undefined) return refuse(response, method, [404, 'BlobNotFound', 'The specified blob does not exist.'])
    const { type, cacheControl } = blob
    const shown = { 'content-type': type, ...(cacheControl !== undefined && { 'cache-control': cacheControl }) }
    response.writeHead(200, { ...shown, 'content-length': blob.body.length, 'x-ms-blob-type': 'BlockBlob' })
    response.end(method === 'GET' ? blob.body : undefined)
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refuse(response: ServerResponse, method: string, [status, code, message]: Refusal): void {
  const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
  response.end(method === 'HEAD' ? '' : xml)
}

/** Says why a request is refused; `undefined` for one that is not. */
function judge(request: IncomingMessage, body: Buffer, settings: AzureAccount): Refusal | undefined {
  const { method = '', url = '', headers } = request
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const container = pathname.split('/')[1]
  const isAnonymous = headers.authorization === undefined && !searchParams.has('sig')
  if (isAnonymous && method === 'PUT') return [404, 'ResourceNotFound', 'The specified resource does not exist.']
  if (!isAnonymous) {
    const wrong = searchParams.has('sig') ? judgeSas(method, searchParams, settings) : judgeKey(request, settings)
    if (wrong !== undefined) return wrong
  }
  if (container !== settings.container) {
    return [404, 'ContainerNotFound', 'The specified container does not exist.']
  }
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method !== 'PUT') return [405, 'UnsupportedHttpVerb', 'The resource does not support the specified HTTP verb.']
  if (headers['x-ms-blob-type'] !== 'BlockBlob') {
    return [400, 'MissingRequiredHeader', 'An HTTP header that is mandatory for this request is not specified.']
  }
  const md5 = createHash('md5').update(body).digest('base64')
  if (headers['content-md5'] !== undefined && headers['content-md5'] !== md5) {
    return [400, 'Md5Mismatch', 'The MD5 value specified in the request did not match with the MD5 of the body.']
  }
  return undefined
}

/** Checks a signature by "Authorize with Shared Key", from the headers and the URL as they came over the wire. */
function judgeKey(
  { method = '', url = '', headers }: IncomingMessage,
  { account, key }: AzureAccount,
): Refusal | undefined {
  const [, name, signature = ''] = /^SharedKey ([^:]+):(.+)$/.exec(headers.authorization ?? '') ?? []
  const date = Date.parse(String(headers['x-ms-date'] ?? headers.date))
  const isInTime = Math.abs(Date.now() - date) < MOST_SKEW * 60_000
  if (name !== account || !isInTime || headers['x-ms-version'] === undefined) return FAILED
  const [path = '', query = ''] = url.split('?')
  const header = (each: string): string => String(headers[each] ?? '')
  const own = Object.keys(headers).filter((each) => each.startsWith('x-ms-'))
  const length = header('content-length')
  const text = [
    method,
    header('content-encoding'),
    header('content-language'),
    length === '0' ? '' : length,
    header('content-md5'),
    header('content-type'),
    header('date'),
    header('if-modified-since'),
    header('if-match'),
    header('if-none-match'),
    header('if-unmodified-since'),
    header('range'),
    ...own.sort().map((each) => `${each}:${header(each).trim()}`),
    `/${account}${path}`,
    ...[...new URLSearchParams(query)].map(([each, value]) => `${each.toLowerCase()}:${value}`).sort(),
  ].join('\n')
  return isSame(signature, sign(key, text)) ? undefined : FAILED
}

/** Checks a service SAS of a container. */
function judgeSas(
  method: string,
  query: URLSearchParams,
  { account, key, container }: AzureAccount,
): Refusal | undefined {
  const text = (name: string): string => query.get(name) ?? ''
  const given = { sp: text('sp'), st: text('st'), se: text('se'), sv: text('sv'), sr: text('sr'), spr: text('spr') }
  const expected = sign(key, sasText(given, `/blob/${account}/${container}`))
  if (!isSame(text('sig'), expected) || Date.parse(given.se) < Date.now()) return FAILED
  const isAllowed = method === 'PUT' ? /[cw]/.test(given.sp) : given.sp.includes('r')
  const message = 'This request is not authorized to perform this operation using this permission.'
  return isAllowed ? undefined : [403, 'AuthorizationPermissionMismatch', message]
}

type Sas = Readonly<Record<'sp' | 'st' | 'se' | 'sv' | 'sr' | 'spr', string>>

/** Fields without a value here: identifier, addresses; snapshot, encryption scope and five response headers. */
const sasText = ({ sp, st, se, sv, sr, spr }: Sas, resource: string): string =>
  [sp, st, se, resource, '', '', spr, sv, sr, '', '', '', '', '', '', ''].join('\n')

const sign = (key: string, text: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
