import { isStored, store } from '@pixpress/core'
import { storeLocation } from '@pixpress/core/internal'
import type { StoreOptions } from '@pixpress/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A storage to test with. */
export interface ObjectStoreTrial {
  /** Returns the options for a path in a bucket that exists, with credentials that may write and replace. */
  options(path: string): StoreOptions
  /** The same with a bucket that does not exist. */
  readonly missingBucket: string
  /** The storage's code for it, and the hint. Default: those of S3. */
  readonly missing?: RegExp
  readonly bucket: string
  /** Credentials that are wrong, in each way that there is, with the storage's code for each. */
  readonly wrong: readonly (readonly [what: string, members: object, code: RegExp])[]
  /** Everything that must not be seen. */
  readonly secrets: readonly string[]
  stop(): Promise<void>
}

const image = (text: string, type = 'image/png') => ({ data: Buffer.from(text), info: { type } })

/** Returns the options for a key in the bucket of the trial. */
type OptionsOf = (key: string, more?: object) => StoreOptions

/** Tests that hold for every object storage behind `store`, real or not. */
export function testObjectStore(name: string, start: () => Promise<ObjectStoreTrial>): void {
  describe(name, () => {
    let trial: ObjectStoreTrial
    beforeAll(async () => {
      trial = await start()
    }, 120_000)
    afterAll(() => trial?.stop())

    const options: OptionsOf = (key, more = {}) =>
      ({ ...trial.options(`${trial.bucket}/${key}`), ...more }) as StoreOptions
    testObjects(options)
    testRefusals(options, () => trial)
  })
}

function testObjects(options: OptionsOf): void {
  it('keeps the bytes, their type and how long they may be cached, at the address it gives', async () => {
    const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' }
    const { location } = await store(image('bytes of a picture', 'image/webp'), options('a/b.webp', { headers }))
    expect(location).toBe(storeLocation(options('a/b.webp')))
    const response = await fetch(location)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await response.text()).toBe('bytes of a picture')
  })

  it('replaces what is there', async () => {
    await store(image('first'), options('same.png'))
    const { location } = await store(image('second'), options('same.png'))
    expect(await (await fetch(location)).text()).toBe('second')
  })

  it('knows what is there', async () => {
    expect(await isStored(options('new.png'))).toBe(false)
    await store(image('x'), options('new.png'))
    expect(await isStored(options('new.png'))).toBe(true)
  })

  it.each([
    'with space.png',
    'plus+and&=.png',
    'ünïcödé/画像.png',
    'percent%20.png',
    'quotes\'"(1)!*.png',
    'tilde~$,;:@.png',
    '...three/..dots.png',
    `${'long/'.repeat(100)}name.png`,
    'question?hash#.png',
    'back\\slash.png',
  ])('takes the key %j', async (key) => {
    const { location } = await store(image(key), options(key))
    expect(await (await fetch(location)).text()).toBe(key)
  })
}

/** @param trial the trial, which has begun when a test runs */
function testRefusals(options: OptionsOf, trial: () => ObjectStoreTrial): void {
  it('says what was refused, and never a credential', async () => {
    const refused: [object, RegExp][] = [
      ...trial().wrong.map(([, members, code]): [object, RegExp] => [members, code]),
      [{ path: `${trial().missingBucket}/a.png` }, trial().missing ?? /NoSuchBucket.*There is no such bucket\./],
    ]
    for (const [members, code] of refused) {
      const error = await store(image('x'), options('refused.png', members)).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'STORE_FAILED', status: 422, message: code })
      const shown = JSON.stringify(error) + String(error) + String((error as Error).stack)
      for (const secret of trial().secrets) expect(shown).not.toContain(secret)
    }
  })

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort()
    await expect(store(image('x'), options('aborted.png'), { signal })).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
    expect(await isStored(options('aborted.png'))).toBe(false)
  })
}
