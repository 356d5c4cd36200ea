import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { isLoopback } from '@pixpress/core/internal'
import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

/** The names that lead to the server, as far as it knows them. */
export interface KnownNames {
  /** The public URL, without a slash at the end. */
  readonly publicUrl: string | undefined
  /** Hosts that were allowed, as URLs have them. */
  readonly allowedHosts: ReadonlySet<string>
  /** PEM of the certificate. */
  readonly tls: { readonly cert: string } | undefined
}

/**
 * Creates a function that tells the absolute URL of this server for a request. A client may write any `Host`; it is
 * believed where the server was told of it, where its certificate holds for it, where it is the address of the socket,
 * and where it stands for this machine on a connection from this machine. Otherwise the address of the socket stands
 * in.
 */
export function createOwnOrigin({ publicUrl, allowedHosts, tls }: KnownNames): (c: Context<AppEnv>) => string {
  const certificate = tls && new X509Certificate(tls.cert)

  function isOwn({ hostname, host }: URL, address: string): boolean {
    const bare = hostname.replace(/^\[|\]$/g, '')
    if (allowedHosts.has(host) || bare === address) return true
    if (isLoopback(bare) && isLoopback(address)) return true
    const holds = isIP(bare) === 0 ? certificate?.checkHost(bare) : certificate?.checkIP(bare)
    return holds !== undefined
  }

  return (c) => {
    if (publicUrl !== undefined) return publicUrl
    const url = new URL(c.req.url)
    const { localAddress, localPort } = c.env?.incoming?.socket ?? {}
    // Without a socket the app was called as a function, by code that made the URL itself.
    if (localAddress === undefined) return url.origin
    const address = localAddress.replace(/^::ffff:(?=\d)/, '')
    if (isOwn(url, address)) return url.origin
    return `${url.protocol}//${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`
  }
}
