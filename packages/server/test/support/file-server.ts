import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FileServer {
  readonly url: string
  readonly port: number
  readonly hits: () => number
  close(): Promise<void>
}

/** Serves what a test gives it on the loopback address: bytes, or a function that answers by itself. */
export async function serveFiles(files: Readonly<Record<string, Buffer | http.RequestListener>>): Promise<FileServer> {
  let hits = 0
  const server = http.createServer((request, response) => {
    hits++
    const file = files[request.url!.split('?', 1)[0]!]
    if (typeof file === 'function') file(request, response)
    else if (file === undefined) response.writeHead(404).end('no such file')
    else response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hits: () => hits,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
