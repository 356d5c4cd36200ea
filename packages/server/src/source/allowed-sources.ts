import { invalidOption } from '@pixpress/core'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, parseAddress } from './address.ts'

/** What `source.url` may reach: the public internet, and what the operator allows besides. */
export interface AllowedSources {
  /** Whether connecting to this address is allowed, for a URL with this host. */
  allowsAddress(address: string, host: string): boolean
  /** Whether a port other than 80 and 443 is allowed. */
  allowsPort(port: number, host: string): boolean
}

interface Entry {
  /** Of the URL: a host name, or an address. */
  readonly host?: string
  readonly network?: [ipaddr.IPv4 | ipaddr.IPv6, number]
  /** `undefined`: every port. */
  readonly port: number | undefined
}

/**
 * @param entries host names, addresses or networks (`10.1.0.0/16`), each with `:<port>` to allow that port alone. An
 * allowed host name may have any address; its whole network is reachable by whoever controls its DNS entry.
 * @throws PixpressError `INVALID_OPTION`
 */
export function allowedSources(option: string, entries: readonly string[]): AllowedSources {
  const parsed = entries.map((entry) => parseEntry(option, entry))
  const matching = (host: string): Entry[] => parsed.filter((entry) => matchesHost(entry, host))
  return {
    allowsAddress(address, host) {
      return isPublicAddress(address) || matching(host).length > 0 || parsed.some((entry) => contains(entry, address))
    },
    allowsPort(port, host) {
      if (port === 80 || port === 443) return true
      return matching(host).some((entry) => entry.port === undefined || entry.port === port)
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

function matchesHost(entry: Entry, host: string): boolean {
  return entry.host === host.toLowerCase().replace(/\.$/, '') || contains(entry, host)
}

function contains({ network }: Entry, address: string): boolean {
  const parsed = network === undefined ? undefined : parseAddress(address)
  return parsed !== undefined && parsed.kind() === network![0].kind() && parsed.match(network![0], network![1])
}
