import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer instead of the right one: a status, or nothing at all while the connection stays open. */
export type Trouble = number | 'silence'

/**
 * An HTTP store as anybody may have one: `GET`, `HEAD` and `PUT` of whatever path, in memory, nothing replaced under
 * `If-None-Match: *`.
 */
export interface CacheServer {
  /** Base URL of the entries. */
  readonly endpoint: string
  /** The objects by their path below the endpoint. May be changed. */
  readonly objects: Map<string, Buffer>
  /** `GET 01…` of every request, in the order of arrival. */
  readonly requests: string[]
  /** The `Authorization` of every request. */
  readonly credentials: (string | undefined)[]
  /** The server knows `If-None-Match`. Default `true`. */
  knowsConditions: boolean
  /** Default: none. */
  trouble: Trouble | undefined
  /** The server lists the keys of a folder, as servers of pixpress do. Default `false`. */
  lists: boolean
  /** Requests after which it is silent. Default: it never is. */
  silentAfter: number
  close(): Promise<void>
}

/** Starts a store on a free port of 127.0.0.1. */
export async function startCacheServer(): Promise<CacheServer> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const credentials: (string | undefined)[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace(/^\/cache\//, '')
    const number = requests.push(`${request.method} ${path}`)
    credentials.push(request.headers.authorization)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (store.trouble === 'silence' || number > store.silentAfter) return
    if (store.trouble !== undefined) return void response.writeHead(store.trouble).end()
    const present = objects.get(path)
    if (request.method === 'PUT') {
      const isRefused = store.knowsConditions && present !== undefined && request.headers['if-none-match'] === '*'
      if (!isRefused) objects.set(path, Buffer.concat(chunks))
      return void response.writeHead(isRefused ? 412 : 201).end()
    }
    if (store.lists && present === undefined && !path.includes('/')) {
      const keys = [...objects.keys()]
        .filter((name) => name.startsWith(`${path}/`))
        .map((name) => name.slice(path.length + 1))
      return void response.writeHead(200).end(JSON.stringify({ keys: keys.sort() }))
    }
    response.writeHead(present === undefined ? 404 : 200).end(request.method === 'HEAD' ? undefined : present)
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const store: CacheServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cache`,
    objects,
    requests,
    credentials,
    knowsConditions: true,
    trouble: undefined,
    lists: false,
    silentAfter: Infinity,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return store
}
