import { describe, expect, it } from 'vitest'
import { withoutTimings } from '../../src/core/rolldown-timings.ts'

describe('withoutTimings', () => {
  it('adds to what is there', () => {
    expect(withoutTimings({ input: 'a.js' })).toEqual({ input: 'a.js', checks: { pluginTimings: false } })
    const checks = { circularDependency: true }
    expect(withoutTimings({ checks })).toEqual({ checks: { circularDependency: true, pluginTimings: false } })
    expect(checks).toEqual({ circularDependency: true })
  })

  it.each([{ pluginTimings: true }, { bundlerTimings: true }])('leaves what the user has set: %j', (checks) => {
    expect(withoutTimings({ checks })).toBeNull()
  })
})
