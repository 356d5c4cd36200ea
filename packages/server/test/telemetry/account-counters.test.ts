import { describe, expect, it } from 'vitest'
import { createAccountCounters } from '../../src/telemetry/account-counters.ts'
import { linesOf } from '../../src/telemetry/families.ts'

describe('createAccountCounters', () => {
  it('names a thousand accounts, and counts further ones together', () => {
    const { add, families } = createAccountCounters()
    for (const _ of ['once', 'twice']) {
      for (let i = 0; i < 1200; i++) add(`account-${i}`, { compressions: 1, bytesIn: 10, bytesOut: 4 })
    }
    const lines = families().flatMap((family) => linesOf(family))
    const saved = lines.filter((line) => line.startsWith('pixpress_account_bytes_saved_total{'))
    expect(saved).toHaveLength(1001)
    expect(saved).toContain('pixpress_account_bytes_saved_total{account="account-999"} 12')
    expect(saved).toContain('pixpress_account_bytes_saved_total{account="(others)"} 2400')
  })
})
