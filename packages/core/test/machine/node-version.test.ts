import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { oldNode } from '../../src/machine/node-version.ts'

describe('oldNode', () => {
  it('refuses what the manifest does not allow, and says what to run', () => {
    expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0')
    for (const old of ['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
      expect(oldNode(old)).toEqual(naming(old, '20.19', '22.12', '22'))
    }
    for (const right of ['20.19.0', '20.20.2', '22.12.0', '22.21.1', '23.0.0', '24.1.0', '30.0.0']) {
      expect(oldNode(right)).toBeUndefined()
    }
  })
})
