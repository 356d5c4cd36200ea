import { naming } from '@pixpress/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PixpressError } from '../../src/base/errors.ts'
import { CORE, requireSameRelease } from '../../src/machine/same-release.ts'

const plugin = (version: string): { name: string; version: string } => ({ name: 'unplugin-pixpress', version })

function refusalOf(importing: string, imported: string): PixpressError {
  try {
    requireSameRelease(plugin(importing), { name: '@pixpress/core', version: imported })
  } catch (error) {
    if (error instanceof PixpressError) return error
  }
  throw new Error(`${importing} and ${imported} were not refused`)
}

describe('requireSameRelease', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('takes the same version without a word', () => {
    expect(requireSameRelease(plugin(CORE.version))).toBeUndefined()
  })

  it('names both packages, both versions and the command that mends it', () => {
    vi.stubEnv('npm_config_user_agent', 'npm/10.9.0 node/v22.0.0')
    const error = refusalOf('0.1.0', '0.1.1')
    expect(error.code).toBe('MACHINE_UNFIT')
    expect(error.message).toEqual(
      naming(
        'unplugin-pixpress 0.1.0',
        '@pixpress/core 0.1.1',
        "'@pixpress/core'",
        '"overrides"',
        '"resolutions"',
        'package.json',
        'npm install unplugin-pixpress@0.1.1',
      ),
    )
    expect(error.stack).toBe(`PixpressError: ${error.message}`)
  })

  it.each([
    ['0.1.0', '0.1.1', '0.1.1'],
    ['0.10.0', '0.9.4', '0.10.0'],
    ['1.0.0', '0.99.99', '1.0.0'],
    ['2.0.0-beta.1', '2.0.0', '2.0.0-beta.1'],
  ])('installs the newer of %s and %s', (importing, imported, newer) => {
    expect(refusalOf(importing, imported).message).toMatch(new RegExp(`unplugin-pixpress@${newer}$`))
  })

  it.each(['pnpm', 'yarn', 'bun'])('gives the command of %s where that runs the build', (program) => {
    vi.stubEnv('npm_config_user_agent', `${program}/1.2.3 npm/? node/v22.0.0`)
    expect(refusalOf('0.1.0', '0.2.0').message).toMatch(new RegExp(`: ${program} add unplugin-pixpress@0.2.0$`))
  })
})
