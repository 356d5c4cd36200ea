import { describe, expect, it } from 'vitest'
import pixpress from '../src/index.ts'
import type { Nuxt, Options } from '../src/index.ts'

type Changes = Partial<Nuxt['options']>

/** Runs the module in a Nuxt with these options up to the configuration of Nitro. */
async function setUp(changes: Changes, inline?: Options): Promise<{ options: Nuxt['options']; virtual: object }> {
  const hooks = new Map<string, (argument: never) => unknown>()
  const options: Nuxt['options'] = {
    rootDir: '/project',
    srcDir: '/project/app',
    dev: false,
    dir: { public: 'public' },
    app: { baseURL: '/' },
    vite: {},
    serverHandlers: [],
    ...changes,
  }
  const hook = (name: string, action: (argument: never) => unknown): unknown => hooks.set(name, action)
  pixpress(inline, { options, hook } as Nuxt)
  await hooks.get('modules:done')?.(undefined as never)
  const nitro = { virtual: {} }
  await hooks.get('nitro:config')?.(nitro as never)
  return { options, virtual: nitro.virtual }
}

const ROUTE = { route: '/_ipx/**', handler: '#pixpress/ipx' }

describe('the module', () => {
  it('adds the plugin for Vite', async () => {
    const { options } = await setUp({})
    expect(options.vite.plugins).toHaveLength(1)
    expect(options.serverHandlers).toEqual([])
  })

  it.each<[string, Changes, boolean]>([
    ['in dev', { dev: true, image: {} }, true],
    ['when the site is generated', { _generate: true, image: {} }, true],
    ['by Nitro’s own word for that', { nitro: { static: true }, image: { provider: 'ipx' } }, true],
    ['without options of its own', { dev: true, _installedModules: [{ meta: { name: '@nuxt/image' } }] }, true],
    ['never on a server', { image: {} }, false],
    ['never for another provider', { dev: true, image: { provider: 'cloudinary' } }, false],
    ['never without @nuxt/image', { dev: true, _installedModules: [], image: {} }, false],
  ])('answers for the components: %s', async (_, changes, isAnswered) => {
    const { options, virtual } = await setUp(changes)
    expect(options.serverHandlers).toEqual(isAnswered ? [ROUTE] : [])
    expect(Object.keys(virtual)).toEqual(isAnswered ? ['#pixpress/ipx'] : [])
  })

  it('takes options from both places and refuses a wrong one with the right one', async () => {
    await expect(setUp({ pixpress: { quality: 70 } }, { qualty: 1 } as object)).rejects.toThrow(/quality/)
    expect(await pixpress.getMeta()).toMatchObject({ name: '@pixpress/nuxt', configKey: 'pixpress' })
    expect(await pixpress.getOptions({ quality: 70 })).toEqual({ quality: 70 })
  })

  it('writes a handler without the keys of a service', async () => {
    const engine = { endpoint: 'https://images.example.com', key: 'secret-key' }
    const endpoint = 'https://cache.example.com'
    const signingKey = 'secret-signing-key-of-this-cache'
    const remote = { service: 'http', endpoint, key: 'secret-key-of-this-cache', signingKey } as const
    const cache = { dir: 'images', remote }
    const { virtual } = await setUp({ dev: true, image: {}, pixpress: { engine, cache, quality: 70 } })
    const code = Object.values(virtual as Record<string, string>)[0]!
    expect(code).toContain('"quality":70')
    expect(code).toContain('"dir":"images"')
    expect(code).not.toMatch(/secret|cache\.example/)
  })
})
