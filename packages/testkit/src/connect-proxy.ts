import { createServer } from 'node:http'
import net from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** An HTTP proxy on this machine that only opens tunnels (CONNECT). */
export interface ConnectProxy {
  /** `host:port`. */
  readonly host: string
  /** The target of each tunnel, `host:port`. */
  readonly tunnels: readonly string[]
  close(): Promise<void>
}

/** Options of the proxy. */
export interface ConnectProxyOptions {
  /** `user:password` that is asked for. */
  readonly credentials?: string
}

/** Starts an HTTP proxy that opens tunnels (CONNECT). */
export async function startConnectProxy({ credentials }: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = createServer((_, response) => void response.writeHead(405).end())
  server.on('connection', (socket) => {
    sockets.add(socket)
    // Whoever hangs up first, the other side's complaint about it is of no interest.
    socket.on('error', () => socket.destroy())
  })
  server.on('connect', (request, client: Socket) => {
    if (expected !== undefined && request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const target = request.url ?? ''
    tunnels.push(target)
    const [host, port] = target.split(':')
    const upstream = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
