import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of images for one test. */
export interface ImageHost {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** Paths and queries that were asked for, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** Serves files by their paths, whatever their queries are; everything else is not found. */
export async function serveImages(files: Readonly<Record<string, Uint8Array>>): Promise<ImageHost> {
  const asked: string[] = []
  const server = http.createServer(({ url = '' }, response) => {
    asked.push(url)
    const data = files[url.replace(/\?.*$/, '')]
    if (data === undefined) response.writeHead(404).end('no such image')
    else response.writeHead(200, { ETag: `"${data.length}"` }).end(data)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
