import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ConnectionError } from '../base/errors.ts'

type OnSocket = (error: Error | null, socket: Duplex) => void

/** The proxy of a tunnel (HTTP CONNECT), and the certificates that are trusted. */
export interface TunnelSettings {
  readonly proxy: URL
  readonly ca: readonly (string | Uint8Array)[] | undefined
  /** Milliseconds for the proxy to open the tunnel. */
  readonly connectTimeout: number
}

/** Keep-alive connections to https servers through a proxy's tunnels (RFC 9110, section 9.3.6). */
export class HttpsTunnelAgent extends https.Agent {
  readonly #settings: TunnelSettings

  constructor(options: https.AgentOptions, settings: TunnelSettings) {
    super(options)
    this.#settings = settings
  }

  override createConnection(options: https.RequestOptions, callback?: OnSocket): undefined {
    openTunnel(this.#settings, options)
      .then((socket) => super.createConnection({ ...options, socket } as https.RequestOptions) as Duplex)
      .then(
        (socket) => callback?.(null, socket),
        (error: Error) => callback?.(error, undefined as never),
      )
    return undefined
  }
}

/** Opens tunnels to unencrypted servers. */
export class HttpTunnelAgent extends http.Agent {
  readonly #settings: TunnelSettings

  constructor(options: http.AgentOptions, settings: TunnelSettings) {
    super(options)
    this.#settings = settings
  }

  override createConnection(options: http.ClientRequestArgs, callback?: OnSocket): undefined {
    openTunnel(this.#settings, options).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    )
    return undefined
  }
}

function openTunnel(settings: TunnelSettings, { host, port }: http.ClientRequestArgs): Promise<Socket> {
  const { proxy, ca, connectTimeout } = settings
  const authority = `${host?.includes(':') ? `[${host}]` : host}:${port}`
  const request = (proxy.protocol === 'https:' ? https : http).request({
    // A literal IPv6 address stands in brackets in a URL only.
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: authority,
    headers: { Host: authority, ...credentialsFor(proxy) },
    agent: false,
    ...(ca !== undefined && { ca: ca.map((each) => Buffer.from(each)) }),
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      request.destroy(new Error(`no tunnel within ${connectTimeout} ms`))
    }, connectTimeout)
    request.on('connect', (answer, socket, head) => {
      clearTimeout(timer)
      if (answer.statusCode === 200 && head.length === 0) return resolve(socket)
      socket.destroy()
      reject(refusal(answer.statusCode))
    })
    request.on('response', (answer) => {
      clearTimeout(timer)
      answer.destroy()
      reject(refusal(answer.statusCode))
    })
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(
        new ConnectionError(`The proxy cannot be reached: ${error.message}.`, { error: 'ProxyError', cause: error }),
      )
    })
    request.end()
  })
}

/** A refusal is final for 4xx (wrong password, forbidden port) and worth another try otherwise. */
function refusal(status: number | undefined): ConnectionError {
  const hint = status === 407 ? ' Its user name and password stand in the URL of the proxy.' : ''
  return new ConnectionError(`The proxy refused to open a tunnel (HTTP ${status}).${hint}`, {
    status,
    error: 'ProxyError',
  })
}

function credentialsFor(proxy: URL): { 'Proxy-Authorization'?: string } {
  if (proxy.username === '' && proxy.password === '') return {}
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
