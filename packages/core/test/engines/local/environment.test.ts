import { afterEach, describe, expect, it, vi } from 'vitest'
import { decoderEnvironment } from '../../../src/engines/local/environment.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('decoderEnvironment', () => {
  it('keeps what programs, fonts, languages and the allocator need, and nothing that it does not know', () => {
    const kept = { PATH: '/bin', LC_ALL: 'C', TMPDIR: '/t', FONTCONFIG_PATH: '/f', MALLOC_ARENA_MAX: '2', HOME: '/h' }
    const others = {
      SECRET: 'a',
      AWS_SESSION_TOKEN: 'b',
      PIXPRESS_KEY: 'c',
      LC_secret: 'd',
      LD_PRELOAD: 'e',
      path: 'f',
    }
    expect(decoderEnvironment({ ...kept, ...others, TZ: undefined })).toEqual(kept)
  })

  it('knows the variables of Windows however they are written', () => {
    vi.stubGlobal('process', { platform: 'win32' })
    const kept = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', ComSpec: 'cmd.exe', windir: 'C:\\Windows' }
    expect(decoderEnvironment({ ...kept, Secret: 'a' })).toEqual(kept)
  })

  it.each([
    ['--max-old-space-size=512 --inspect-brk=9229', '--max-old-space-size=512'],
    ['--require /evil.cjs --preserve-symlinks', '--preserve-symlinks'],
    [
      '-r /app/.pnp.cjs --experimental-loader /app/.pnp.loader.mjs',
      '--require=/app/.pnp.cjs --experimental-loader=/app/.pnp.loader.mjs',
    ],
    ['--require "/my app/.pnp.cjs" -r ./other.cjs', '--require="/my app/.pnp.cjs"'],
    ['--import=data:text/javascript,1 --env-file=.env --conditions=dev', undefined],
  ])('passes on of NODE_OPTIONS %s', (given, passed) => {
    expect(decoderEnvironment({ NODE_OPTIONS: given }).NODE_OPTIONS).toBe(passed)
  })
})
