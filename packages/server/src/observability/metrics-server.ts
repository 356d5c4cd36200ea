import http from 'node:http'

/** Serves the metrics on an address of their own, which need not be reachable from where clients come. */
export function createMetricsServer(render: () => string): http.Server {
  return http.createServer((request, response) => {
    const known = new URL(request.url ?? '/', 'http://localhost').pathname === '/metrics'
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    } else if (known) {
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(render())
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('The metrics are at /metrics.\n')
    }
  })
}
