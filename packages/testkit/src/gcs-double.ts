import { createHash } from 'node:crypto'
import http from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Rights of a token: `create` may not replace an object. */
export type GcsScope = 'write' | 'create' | 'read'

interface StoredObject {
  readonly body: Buffer
  readonly type: string
  readonly cacheControl: string | undefined
}

/**
 * Google Cloud Storage's XML API as its documentation has it, on this machine: `PUT`, `GET` and `HEAD` of objects in
 * one public bucket with uniform access.
 */
export interface GcsDouble {
  readonly endpoint: string
  /** Every request: method and path. */
  readonly requests: readonly { readonly method: string; readonly path: string }[]
  close(): Promise<void>
}

/** The bucket with its objects, and the rights to it by token. */
interface Bucket {
  readonly name: string
  readonly objects: Map<string, StoredObject>
  readonly tokens: Readonly<Record<string, GcsScope>>
  readonly requests: { readonly method: string; readonly path: string }[]
}

/** Starts a server that answers like Google Cloud Storage, for one bucket. */
export async function startGcsDouble(name: string, tokens: Readonly<Record<string, GcsScope>>): Promise<GcsDouble> {
  const bucket: Bucket = { name, objects: new Map(), tokens, requests: [] }
  const server = http.createServer((request, response) => {
    void answer(bucket, request, response)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: bucket.requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(bucket: Bucket, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  bucket.requests.push({ method, path: url })
  const [, place = '', name = ''] = /^\/([^/?]+)\/([^?]+)$/.exec(url) ?? []
  const key = decodeURIComponent(name)
  if (key === '') return refuse(response, 400, 'InvalidURI', "Couldn't parse the specified URI.")
  if (place !== bucket.name) return refuse(response, 404, 'NoSuchBucket', 'The specified bucket does not exist.')
  if (method === 'GET' || method === 'HEAD') return give(bucket, key, response)
  if (method !== 'PUT') return refuse(response, 405, 'MethodNotAllowed', 'The specified method is not allowed.')
  put(bucket, key, { headers: request.headers, body: Buffer.concat(pieces) }, response)
}

function give({ objects }: Bucket, key: string, response: ServerResponse): void {
  const present = objects.get(key)
  if (present === undefined) return refuse(response, 404, 'NoSuchKey', 'The specified key does not exist.')
  response.writeHead(200, {
    'content-type': present.type,
    'content-length': present.body.length,
    // The default of a public object.
    'cache-control': present.cacheControl ?? 'public, max-age=3600',
  })
  response.end(response.req.method === 'GET' ? present.body : undefined)
}

function put(
  { objects, tokens }: Bucket,
  key: string,
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  response: ServerResponse,
): void {
  const scope = tokens[/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '']
  if (scope === undefined) return refuse(response, 401, 'AuthenticationRequired', 'Authentication required.')
  // To replace an object takes the right to delete it.
  if (scope === 'read' || (objects.has(key) && scope === 'create')) {
    return refuse(response, 403, 'AccessDenied', 'Access denied.')
  }
  if (headers['x-goog-acl'] !== undefined) {
    const message = 'Cannot insert legacy ACL when uniform bucket-level access is enabled.'
    return refuse(response, 400, 'InvalidArgument', message)
  }
  const digest = createHash('md5').update(body).digest('base64')
  if (headers['content-md5'] !== undefined && headers['content-md5'] !== digest) {
    return refuse(response, 400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.')
  }
  objects.set(key, {
    body,
    type: headers['content-type'] ?? 'application/octet-stream',
    cacheControl: headers['cache-control'],
  })
  response.writeHead(200, { 'content-length': 0 }).end()
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const xml = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml; charset=UTF-8' })
  response.end(response.req.method === 'HEAD' ? '' : xml)
}
