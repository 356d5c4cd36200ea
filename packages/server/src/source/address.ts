import ipaddr from 'ipaddr.js'

/**
 * Networks beyond the IANA special-purpose registries that ipaddr.js knows: they carry an IPv4 address inside, which a
 * translator or tunnel would deliver to, or are set aside for other things than hosts of the internet.
 */
const NEVER_PUBLIC: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  '5f00::/16',
  'fec0::/10',
  '192.88.99.0/24',
].map((network) => ipaddr.parseCIDR(network))

/** Tells whether an address belongs to a host of the public internet. Text that is no address does not. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed === undefined || parsed.range() !== 'unicast') return false
  return !NEVER_PUBLIC.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
}

/** Returns an address without its zone; IPv4 written as IPv6 counts as IPv4. */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const withoutZone = address.split('%', 1)[0]!
  return ipaddr.isValid(withoutZone) ? ipaddr.process(withoutZone) : undefined
}
