import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoredRequest {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface BucketServer {
  readonly url: string
  readonly requests: readonly StoredRequest[]
  refuseWith(status: number, code: string): void
  reset(): void
  close(): Promise<void>
}

/**
 * Stands for object storage and keeps what it is sent: what the server sends is under test, the uploader has tests of
 * its own.
 */
export async function startBucketServer(): Promise<BucketServer> {
  const requests: StoredRequest[] = []
  let refusal: { status: number; code: string } | undefined
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    requests.push({
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks),
    })
    if (refusal === undefined) response.writeHead(200, { ETag: '"etag"' }).end()
    else {
      const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${refusal.code}</Code><Message></Message></Error>`
      response.writeHead(refusal.status, { 'Content-Type': 'application/xml' }).end(xml)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuseWith(status, code) {
      refusal = { status, code }
    },
    reset() {
      refusal = undefined
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
