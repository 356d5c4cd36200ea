import http from 'node:http'

/** The key that benchmarks give their servers. */
export const KEY = 'bench-key'

/**
 * Uploads an image, and reads the answer to its end.
 * @param agent whose connections are used again
 * @throws Error when the server answers anything but 201
 */
export function post(url, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Basic ${btoa(`api:${KEY}`)}`, 'Content-Length': body.length }
    const request = http.request(`${url}/shrink`, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      if (response.statusCode !== 201) reject(new Error(`The server answered ${response.statusCode}.`))
      response.once('end', resolve)
    })
    request.once('error', reject)
    request.end(body)
  })
}
