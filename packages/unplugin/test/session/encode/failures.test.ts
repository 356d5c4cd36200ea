import { describe, expect, it } from 'vitest'
import { failsBuild } from '../../../src/session/encode/failures.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'

const fails = (code: Parameters<typeof failsBuild>[0]['code'], options: object): boolean =>
  failsBuild({ code }, resolvePluginOptions(options, '/project'))

describe('failsBuild', () => {
  it('says so of what is wrong with the machine, a service or the options, whatever is given', () => {
    for (const code of ['MACHINE_UNFIT', 'REMOTE_UNAVAILABLE', 'INVALID_OPTION'] as const) {
      expect([fails(code, {}), fails(code, { onError: 'warn' })]).toEqual([true, true])
    }
  })

  it('says so of images that nothing is wrong with, unless they may be passed over', () => {
    for (const code of ['TIMEOUT', 'INTERNAL'] as const) {
      expect([fails(code, {}), fails(code, { onError: 'error' })]).toEqual([true, true])
      expect(fails(code, { onError: 'warn' })).toBe(false)
    }
  })

  it('does not of damaged images, unless that is asked for', () => {
    for (const code of ['DECODE_FAILED', 'UNSUPPORTED_TYPE', 'INPUT_TOO_LARGE'] as const) {
      expect([fails(code, {}), fails(code, { onError: 'warn' })]).toEqual([false, false])
      expect(fails(code, { onError: 'error' })).toBe(true)
    }
  })
})
