import { describe, expect, it } from 'vitest'
import { allowedSources, isPublicAddress } from '../../src/index.ts'

const SPECIAL = [
  '0.0.0.0',
  '10.1.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  '::127.0.0.1',
  'fec0::1',
  '192.88.99.1',
  '2001::1',
  '5f00::1',
  '',
  'localhost',
]

describe('isPublicAddress', () => {
  it.each(SPECIAL)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450::1', '172.32.0.1', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
})

describe('allowedSources', () => {
  it('allows a network, an address and a host, with every port or one', () => {
    const sources = allowedSources('--allow-source', [
      '10.1.0.0/16',
      '192.168.1.5:8080',
      'images.internal',
      '[fd00::5]:81',
    ])
    const allowed = (address: string, port: number, host: string = address): boolean =>
      sources.mayAllowPort(port, host) && sources.allows({ address, port, host })
    expect(allowed('10.1.2.3', 80, 'any.example')).toBe(true)
    expect(allowed('10.1.2.3', 1234)).toBe(true)
    expect(allowed('10.2.2.3', 80, 'any.example')).toBe(false)
    expect(allowed('192.168.1.5', 8080)).toBe(true)
    expect(allowed('192.168.1.6', 8080)).toBe(false)
    expect(allowed('172.16.0.9', 80, 'images.internal')).toBe(true)
    expect(allowed('172.16.0.9', 1234, 'Images.Internal.')).toBe(true)
    expect(allowed('172.16.0.9', 80, 'evil.images.internal')).toBe(false)
    expect(allowed('fd00::5', 81)).toBe(true)
    expect(allowed('8.8.8.8', 443, 'any.example')).toBe(true)
    expect(allowed('8.8.8.8', 8080, 'any.example')).toBe(false)
  })

  it('opens the port of an entry alone, by whatever name the address is reached', () => {
    const sources = allowedSources('--allow-source', ['10.0.0.5:8080', 'images.internal:8443', '[fd00::5]:81'])
    const places = [
      ['10.0.0.5', '10.0.0.5', 8080],
      ['10.0.0.5', 'other-name.internal', 8080],
      ['10.0.0.9', 'images.internal', 8443],
      ['fd00::5', 'fd00::5', 81],
    ] as const
    for (const [address, host, open] of places) {
      const allowed = [80, 81, 443, 8080, 8081, 8443].filter(
        (port) => sources.mayAllowPort(port, host) && sources.allows({ address, port, host }),
      )
      expect(allowed, `${host} at ${address}`).toEqual([open])
    }
    expect(sources.mayAllowPort(22, 'any.example')).toBe(false)
  })

  it.each(['', 'http://host', 'host:0', 'host:99999', '10.0.0.0/99', 'a b', '-x', '[::1'])('refuses %j', (entry) => {
    expect(() => allowedSources('--allow-source', [entry])).toThrow(/'--allow-source'/)
  })
})
