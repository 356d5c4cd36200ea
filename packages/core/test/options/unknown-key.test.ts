import { describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/index.ts'
import { resolveRemoteOptions } from '../../src/engines/remote/options.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { didYouMean, unknownKey } from '../../src/options/unknown-key.ts'
import { resolveImageStore } from '../../src/objects/image-store-options.ts'
import { resolveStoreOptions } from '../../src/objects/options.ts'

const said = (action: () => unknown): unknown => {
  try {
    return action()
  } catch (error) {
    return error
  }
}

const GCS = { service: 'gcs', gcp_access_token: 'x', path: 'bucket/folder' } as const

describe('an unknown key', () => {
  it('that was an option once says what to write, and no other word', () => {
    for (const [key, instead] of [
      ['fallback', '?as=picture'],
      ['dimensions', '`width` and `height`'],
    ] as const) {
      expect(unknownKey('', key, ['include']).message).toContain(instead)
      expect(unknownKey('resize', key, ['width']).message).not.toContain(instead)
    }
  })

  it.each([
    ['of the operations', () => resolveOperations({ qualty: 80 } as never), "'qualty'. Did you mean 'quality'?"],
    [
      'of resize',
      () => resolveOperations({ resize: { method: 'scale', widht: 300 } } as never),
      "'resize.widht'. Did you mean 'width'?",
    ],
    [
      'of convert',
      () => resolveOperations({ convert: { types: 1 } } as never),
      "'convert.types'. Did you mean 'type'?",
    ],
    [
      'of transform',
      () => resolveOperations({ transform: { backgroud: 1 } } as never),
      "'transform.backgroud'. Did you mean 'background'?",
    ],
    [
      "of an encoder's settings",
      () => resolveOperations({ encoder: { 'image/webp': { qualty: 1 } } } as never),
      "'encoder.image/webp.qualty'. Did you mean 'quality'?",
    ],
    [
      'of the encoders',
      () => resolveOperations({ encoder: { 'image/wepb': {} } } as never),
      "'encoder.image/wepb'. Did you mean 'image/webp'?",
    ],
    ['of the optimizer', () => createOptimizer({ cahce: false } as never), "'cahce'. Did you mean 'cache'?"],
    [
      'of the limits',
      () => createOptimizer({ limits: { timeot: 5 } } as never),
      "'limits.timeot'. Did you mean 'timeout'?",
    ],
    [
      'of a cache folder',
      () => createOptimizer({ cache: { dir: 'x', maxsize: 5 } } as never),
      "'cache.maxsize'. Did you mean 'maxSize'?",
    ],
    [
      'of a service',
      () => resolveRemoteOptions({ endpoint: 'https://a.example', kez: 'x' } as never),
      "'engine.kez'. Did you mean 'key'?",
    ],
    ['of a store', () => resolveStoreOptions({ ...GCS, paht: 1 } as never), "'store.paht'. Did you mean 'path'?"],
    [
      'of an image store',
      () => resolveImageStore({ ...GCS, basUrl: 1 } as never, '/'),
      "'store.basUrl'. Did you mean 'baseUrl'?",
    ],
  ])('%s is named by the same sentence', (_, action, rest) => {
    expect(said(action)).toMatchObject({ code: 'INVALID_OPTION', message: `Unknown option ${rest}` })
  })

  it('is answered with all that are known where none is near', () => {
    expect(unknownKey('', 'zzzz', ['width', 'height']).message).toBe("Unknown option 'zzzz'. Known: width, height.")
    expect(didYouMean('zzzz', ['a'])).toBe('Known: a.')
  })

  it('is cut where it is long, as it may be data', () => {
    expect(unknownKey('a', 'x'.repeat(500), ['b']).message).toBe(`Unknown option 'a.${'x'.repeat(57)}…'. Known: b.`)
  })
})
