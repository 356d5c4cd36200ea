import { describe, expect, it } from 'vitest'
import { allowedSources } from '../../src/source/allowed-sources.ts'

const INNER = '10.0.0.5'

describe('allowedSources', () => {
  it.each([
    ['inner.example:8080', 'inner.example', INNER, [8080]],
    ['inner.example', 'INNER.example.', INNER, [80, 443, 8080]],
    ['inner.example:8080', 'other.example', INNER, []],
    ['10.0.0.5:443', 'inner.example', INNER, [443]],
    ['10.0.0.0/8:8080', INNER, INNER, [8080]],
    ['10.0.0.0/8', INNER, INNER, [80, 443, 8080]],
    ['10.1.0.0/16', INNER, INNER, []],
    ['inner.example:8080', 'other.example', '93.184.216.34', [80, 443]],
  ])('with %s allows %s at %s these ports: %j', (entry, host, address, expected) => {
    const { allows } = allowedSources('test', [entry])
    expect([80, 443, 8080].filter((port) => allows({ address, port, host }))).toEqual(expected)
  })
})
