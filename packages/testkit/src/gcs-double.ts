import { createHash } from 'node:crypto'
import http from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
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

/** Starts a server that answers like Google Cloud Storage, for one bucket. */
export async function startGcsDouble(bucket: string, tokens: Readonly<Record<string, GcsScope>>): Promise<GcsDouble> {
  const objects = new Map<string, StoredObject>()
  const requests: { method: string; path: string }[] = []
  const server = http.createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    requests.push({ method, path: url })
    const refuse = (status: number, code: string, message: string): void => {
      const xml = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
      response.writeHead(status, { 'content-type': 'application/xml; charset=UTF-8' }).end(method === 'HEAD' ? '' : xml)
    }
    const [, place = '', name = ''] = /^\/([^/?]+)\/([^?]+)$/.exec(url) ?? []
    const key = decodeURIComponent(name)
    if (key === '') return refuse(400, 'InvalidURI', "Couldn't parse the specified URI.")
    if (place !== bucket) return refuse(404, 'NoSuchBucket', 'The specified bucket does not exist.')
    const present = objects.get(key)
    if (method === 'GET' || method === 'HEAD') {
      if (present === undefined) return refuse(404, 'NoSuchKey', 'The specified key does not exist.')
      response.writeHead(200, {
        'content-type': present.type,
        'content-length': present.body.length,
        // The default of a public object.
        'cache-control': present.cacheControl ?? 'public, max-age=3600',
      })
      response.end(method === 'GET' ? present.body : undefined)
      return
    }
    if (method !== 'PUT') return refuse(405, 'MethodNotAllowed', 'The specified method is not allowed.')
    const scope = tokens[/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '']
    if (scope === undefined) return refuse(401, 'AuthenticationRequired', 'Authentication required.')
    // To replace an object takes the right to delete it.
    if (scope === 'read' || (present !== undefined && scope === 'create')) {
      return refuse(403, 'AccessDenied', 'Access denied.')
    }
    if (headers['x-goog-acl'] !== undefined) {
      return refuse(400, 'InvalidArgument', 'Cannot insert legacy ACL when uniform bucket-level access is enabled.')
    }
    const digest = createHash('md5').update(body).digest('base64')
    if (headers['content-md5'] !== undefined && headers['content-md5'] !== digest) {
      return refuse(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.')
    }
    objects.set(key, {
      body,
      type: headers['content-type'] ?? 'application/octet-stream',
      cacheControl: headers['cache-control'],
    })
    response.writeHead(200, { 'content-length': 0 }).end()
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
