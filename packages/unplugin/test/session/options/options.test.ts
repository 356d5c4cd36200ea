import { realpath, symlink } from 'node:fs/promises'
import path from 'node:path'
import { PROJECT_OPTIONS } from '@pixpress/core/internal'
import { createProject } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { sessionIdentity, openSession } from '../../../src/session/registry.ts'

const root = path.resolve('/', 'site')

const identity = (options: Options): string => sessionIdentity(resolvePluginOptions(options, root))

/** Two different values of each option: a new one does not pass the type check before it has a row here. */
const VALUES: { readonly [Key in keyof Options]-?: readonly [NonNullable<Options[Key]>, NonNullable<Options[Key]>] } = {
  root: ['a', 'b'],
  include: [/a/, /b/],
  exclude: ['/a/', /a/],
  resize: [
    { method: 'scale', width: 10 },
    { method: 'scale', height: 10 },
  ],
  convert: ['auto', { type: ['image/webp', 'image/avif'] }],
  fallback: ['auto', 'picture'],
  transform: [{ background: 'white' }, { background: '#ff0000' }],
  preserve: [['copyright'], ['copyright', 'location']],
  quality: ['small', 90],
  maxBytes: [1000, 2000],
  effort: ['fast', 'max'],
  encoder: [{ 'image/webp': { quality: 50 } }, { 'image/webp': { quality: 51 } }],
  svgo: [{ floatPrecision: 2 }, { floatPrecision: 3 }],
  keepElements: [true, false],
  gainMap: [true, false],
  maxWidth: [800, 1600],
  lossless: [true, false],
  adjust: [{ flip: true }, { flop: true }],
  overrides: [[{ include: 'a', lossless: true }], [{ include: /a/, lossless: true }]],
  dimensions: [true, false],
  convertIcons: [true, false],
  presets: [{ hero: { w: 100 } }, { hero: { w: 200 } }],
  defaultDirectives: [{ format: 'webp' }, { format: 'avif' }],
  outputs: [{ one: () => 1 }, { one: () => 2 }],
  namedExports: [true, false],
  compat: [false, 'imagetools'],
  lqip: ['blur', 'color'],
  types: ['a.d.ts', 'b.d.ts'],
  remoteImages: [['https://a.example/**'], ['https://b.example/**']],
  publicDir: [true, false],
  engine: [
    { endpoint: 'https://images.example.com', key: 'a' },
    { endpoint: 'https://images.example.com', key: 'b' },
  ],
  store: [
    { service: 'gcs', gcp_access_token: 'a', path: 'bucket/folder' },
    { service: 'gcs', gcp_access_token: 'b', path: 'bucket/folder' },
  ],
  firstBuild: ['5s', 2000],
  cache: [{ dir: 'a' }, { dir: 'a', maxSize: 5 }],
  lock: ['a.lock', 'b.lock'],
  report: [{ json: 'a' }, { json: 'b' }],
  budgets: [[{ image: 1000 }], [{ total: '1 kB' }]],
  onError: ['warn', 'error'],
  concurrency: [1, 2],
  limits: [{ maxPixels: 1 }, { maxPixels: 2 }],
}

describe('resolvePluginOptions', () => {
  it('knows every option that the plugins of all bundlers take', () => {
    const common = Object.entries(PROJECT_OPTIONS).filter(([, { bundlers }]) => bundlers === undefined)
    expect(common.map(([key]) => key).toSorted()).toEqual(Object.keys(VALUES).toSorted())
  })

  it('knows the cache folder by its path without symbolic links, whether it exists or not', async () => {
    const project = await createProject('options-link', { files: { 'real/modules/x': '', 'site/package.json': '{}' } })
    try {
      const real = await realpath(project.path('real/modules'))
      await symlink(real, project.path('site/node_modules'))
      expect(resolvePluginOptions({}, project.path('site')).workDir).toBe(path.join(real, '.cache', 'pixpress'))
      const cache = { dir: 'node_modules/x' }
      expect(resolvePluginOptions({ cache }, project.path('site')).cacheDir).toBe(path.join(real, 'x'))
    } finally {
      await project.dispose()
    }
  })

  it('fills in the defaults', () => {
    expect(resolvePluginOptions({}, root)).toMatchObject({
      root,
      operations: {},
      convertIcons: false,
      presets: new Map(),
      remoteImages: [],
      publicDir: true,
      remote: undefined,
      store: undefined,
      cacheDir: path.join(root, '.cache', 'pixpress'),
      workDir: path.join(root, 'node_modules', '.cache', 'pixpress'),
      persistent: true,
      cache: { mode: 'readwrite' },
      report: { terminal: true, json: undefined },
      onError: 'warn',
      concurrency: undefined,
      limits: {},
    })
  })

  it.each([
    [{ qualty: 80 }, "Unknown option 'qualty'. Did you mean 'quality'?"],
    [{ publicPath: '/' }, "Unknown option 'publicPath'. Did you mean 'publicDir'?"],
    [{ cache: { maxsize: 5 } }, "Unknown option 'cache.maxsize'. Did you mean 'maxSize'?"],
    [{ report: { jsno: 'x' } }, "Unknown option 'report.jsno'. Did you mean 'json'?"],
    [{ limits: { maxPixel: 5 } }, "Unknown option 'limits.maxPixel'. Did you mean 'maxPixels'?"],
    [{ resize: { widht: 5 } }, "Unknown option 'resize.widht'. Did you mean 'width'?"],
    [{ presets: { hero: { widht: 5 } } }, "Unknown option 'presets.hero.widht'. Did you mean 'w'?"],
    [{ engine: { endpoint: 'https://x.example', keey: 'k' } }, "Unknown option 'engine.keey'. Did you mean 'key'?"],
    [{ include: '' }, "Expected a glob, a RegExp, or a list of them for 'include' but received '' of type string."],
    [{ exclude: 3 }, "Expected a glob, a RegExp, or a list of them for 'exclude' but received 3 of type number."],
    [
      { include: ['a', null] },
      "Expected a glob, a RegExp, or a list of them for 'include' but received null of type null.",
    ],
    [{ onError: 'ignore' }, "Expected 'warn' or 'error' for 'onError' but received 'ignore' of type string."],
    [{ concurrency: 0 }, "Expected a whole number of at least 1 for 'concurrency' but received 0 of type number."],
    [
      { cache: { maxSize: 0 } },
      "Expected a whole number of at least 1 for 'cache.maxSize' but received 0 of type number.",
    ],
    [{ engine: 'remote' }, "Expected 'local' or an object for 'engine' but received 'remote' of type string."],
    [{ store: 'gs://token@bucket' }, "Expected an object for 'store'."],
  ])('refuses %j', (options, start) => {
    expect(() => resolvePluginOptions(options as Options, root)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(start) }),
    )
  })
})

describe('the identity of a session', () => {
  it.each(Object.entries(VALUES))('changes with %s', (key, [one, other]) => {
    expect(identity({ [key]: one })).not.toBe(identity({ [key]: other }))
    // A function is itself alone.
    if (key !== 'outputs') expect(identity({ [key]: one })).toBe(identity({ [key]: structuredClone(one) as never }))
  })

  it('changes with the root of the bundler', () => {
    expect(sessionIdentity(resolvePluginOptions({}, root))).not.toBe(
      sessionIdentity(resolvePluginOptions({}, path.join(root, 'a'))),
    )
  })

  it('is the same for a default that is given', () => {
    expect(identity({ publicDir: true, report: true, cache: true })).toBe(identity({}))
  })

  it('gives plugin instances with the same options one session, and changed presets another', () => {
    const presets = { hero: { w: 100 } }
    expect(openSession({ presets, report: false }, root)).toBe(openSession({ presets, report: false }, root))
    const edited = openSession({ presets: { hero: { w: 200 } }, report: false }, root)
    expect(edited).not.toBe(openSession({ presets, report: false }, root))
  })
})
