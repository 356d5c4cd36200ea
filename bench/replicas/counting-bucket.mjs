import http from 'node:http'

/**
 * Starts a proxy of a bucket that counts requests by method, and the bytes that are put. It keeps the `Host` header,
 * because signatures include it.
 */
export async function countBucket(url) {
  const { hostname, port } = new URL(url)
  const agent = new http.Agent({ keepAlive: true })
  const counts = { PUT: 0, GET: 0, HEAD: 0, DELETE: 0, bytes: 0 }
  const server = http.createServer((request, response) => {
    const { method, url: path, headers } = request
    counts[method]++
    if (method === 'PUT') counts.bytes += Number(headers['content-length'] ?? 0)
    const passed = http.request({ hostname, port, method, path, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders)
      answer.pipe(response)
    })
    passed.once('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    counts: () => ({ ...counts }),
    close() {
      server.closeAllConnections()
      agent.destroy()
      server.close()
    },
  }
}

/** Returns the difference of two counts. */
export function counted(before, after) {
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]))
}
