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
    expect(sources.allowsAddress('10.1.2.3', 'any.example')).toBe(true)
    expect(sources.allowsAddress('10.2.2.3', 'any.example')).toBe(false)
    expect(sources.allowsAddress('192.168.1.5', '192.168.1.5')).toBe(true)
    expect(sources.allowsAddress('192.168.1.6', '192.168.1.6')).toBe(false)
    expect(sources.allowsAddress('172.16.0.9', 'images.internal')).toBe(true)
    expect(sources.allowsAddress('172.16.0.9', 'Images.Internal.')).toBe(true)
    expect(sources.allowsAddress('172.16.0.9', 'evil.images.internal')).toBe(false)
    expect(sources.allowsPort(8080, '192.168.1.5')).toBe(true)
    expect(sources.allowsPort(8081, '192.168.1.5')).toBe(false)
    expect(sources.allowsPort(1234, 'images.internal')).toBe(true)
    expect(sources.allowsPort(81, 'fd00::5')).toBe(true)
    expect(sources.allowsPort(8080, 'any.example')).toBe(false)
    expect(sources.allowsPort(443, 'any.example')).toBe(true)
  })

  it.each(['', 'http://host', 'host:0', 'host:99999', '10.0.0.0/99', 'a b', '-x', '[::1'])('refuses %j', (entry) => {
    expect(() => allowedSources('--allow-source', [entry])).toThrow(/'--allow-source'/)
  })
})
