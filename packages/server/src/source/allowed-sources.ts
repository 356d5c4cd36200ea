import { invalidOption } from '@pixpress/core/internal'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, parseAddress } from './address.ts'

/** The host and port that a URL leads to. */
export interface Place {
  /** That is dialled. */
  readonly address: string
  readonly port: number
  /** The host of the URL: a name, or an address. */
  readonly host: string
}

/**
 * The hosts that `source.url` may reach: ports 80 and 443 of the public internet, and those that the operator allows
 * besides.
 */
export interface AllowedSources {
  allows(place: Place): boolean
  /**
   * Tells whether a port is allowed at any address that the host might have; if not, the URL is refused before a name
   * is looked up.
   */
  mayAllowPort(port: number, host: string): boolean
}

interface Entry {
  /** The host of the URL: a name, or an address. */
  readonly host?: string
  readonly network?: [ipaddr.IPv4 | ipaddr.IPv6, number]
  /** `undefined`: every port. */
  readonly port: number | undefined
}

/** The ports of the public internet that are allowed. */
const PUBLIC_PORTS: ReadonlySet<number> = new Set([80, 443])

/**
 * @param entries host names, addresses or networks (`10.1.0.0/16`), each with `:<port>` to allow that port alone. An
 * allowed host name may have any address; its whole network is reachable by whoever controls its DNS entry.
 * @throws PixpressError `INVALID_OPTION`
 */
export function allowedSources(option: string, entries: readonly string[]): AllowedSources {
  const parsed = entries.map((entry) => parseEntry(option, entry))
  return {
    allows({ address, port, host }) {
      if (PUBLIC_PORTS.has(port) && isPublicAddress(address)) return true
      return parsed.some((entry) => hasPort(entry, port) && (isNamed(entry, host) || contains(entry, address)))
    },
    mayAllowPort(port, host) {
      if (PUBLIC_PORTS.has(port)) return true
      return parsed.some((entry) => hasPort(entry, port) && (entry.network !== undefined || isNamed(entry, host)))
    },
  }
}

function parseEntry(option: string, text: string): Entry {
  const expected = "a host, an address or a network such as 'images.internal', '10.0.0.5:8080' or '10.1.0.0/16'"
  const [, bracketed, plain, digits] =
    /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+|[\da-f:.]+(?:\/\d+)?))(?::(\d+))?$/i.exec(text) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  const host = (bracketed ?? plain)?.toLowerCase()
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw invalidOption(option, expected, text)
  if (host.includes('/')) {
    if (!ipaddr.isValidCIDR(host)) throw invalidOption(option, expected, text)
    return { network: ipaddr.parseCIDR(host), port }
  }
  const address = parseAddress(host)
  if (address !== undefined) return { network: [address, address.kind() === 'ipv4' ? 32 : 128], port }
  if (!/^[a-z\d_]([a-z\d_.-]*[a-z\d_])?$/.test(host)) throw invalidOption(option, expected, text)
  return { host, port }
}

const hasPort = (entry: Entry, port: number): boolean => entry.port === undefined || entry.port === port

const isNamed = (entry: Entry, host: string): boolean => entry.host === host.toLowerCase().replace(/\.$/, '')

function contains({ network }: Entry, address: string): boolean {
  const parsed = network === undefined ? undefined : parseAddress(address)
  return parsed !== undefined && parsed.kind() === network![0].kind() && parsed.match(network![0], network![1])
}
