import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { PROJECT_OPTIONS } from '@pixpress/core/internal'
import {
  createProject,
  photo,
  photoInHdr,
  startGcsDouble,
  startImageService,
  transparentGraphic,
} from '@pixpress/testkit'
import type { GcsDouble, ImageService, Project } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Options } from 'unplugin-pixpress/rollup'
import pixpress from 'unplugin-pixpress/vite'
import { build, createLogger } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../rollup/bundle.ts'

/** A build of the little project, as it is seen from outside. */
interface Outcome {
  /** Names and digests of the files of the output. */
  readonly files: readonly string[]
  readonly warnings: readonly string[]
  /** The message of a build that fails. */
  readonly error?: string
}

interface Effect {
  readonly set: Options | (() => Options)
  /** Options that both builds have. Default: none. */
  readonly beside?: Options | (() => Options)
  /** The script of the project. Default: it imports three images. */
  readonly main?: string
  /** The build finds no results of an earlier one. */
  readonly isCold?: true
  /** Default: the output is looked at. */
  see?(outcome: Outcome): unknown
  /** Default `vite`. */
  readonly by?: 'rollup'
}

const WEBP: Options = { convert: { type: 'image/webp' } }
const PHOTO = './images/photo.png'

/** Imports a photograph with a query, and shows what came. */
const importing = (query: string): string =>
  `import * as photo from '${PHOTO}?${query}'\nglobalThis.site = JSON.stringify(photo)`

/** Each option of a project, with a build in which it changes something. */
const EFFECTS: Readonly<Record<keyof typeof PROJECT_OPTIONS, Effect>> = {
  resize: { set: { resize: { method: 'fit', width: 40, height: 40 } } },
  convert: { set: WEBP },
  transform: { set: { transform: { background: '#ff0000' } } },
  preserve: { set: { preserve: ['copyright'] } },
  quality: { set: { quality: 40 }, beside: WEBP },
  maxBytes: { set: { maxBytes: 800 } },
  effort: { set: { effort: 'fast' }, beside: WEBP },
  encoder: { set: { encoder: { 'image/webp': { quality: 5 } } }, beside: WEBP },
  svgo: { set: { svgo: { plugins: [] } } },
  keepElements: { set: { keepElements: false } },
  lossless: { set: { lossless: true }, beside: WEBP },
  gainMap: { set: { gainMap: false }, main: `import hdr from './images/hdr.jpg'\nglobalThis.site = hdr` },
  maxWidth: { set: { maxWidth: 30 } },
  adjust: { set: { adjust: { grayscale: true } } },
  fallback: { set: { fallback: 'auto' }, beside: WEBP },
  root: { set: { root: 'src' }, beside: { include: 'images/photo.png' } },
  include: { set: { include: 'src/images/photo.png' } },
  exclude: { set: { exclude: '**/photo.png' } },
  overrides: { set: { overrides: [{ include: '**/signed.jpg', quality: 20 }] } },
  convertIcons: { set: { convertIcons: true }, beside: WEBP },
  dimensions: { set: { dimensions: false }, beside: { convert: 'auto' } },
  presets: { set: { presets: { tiny: { w: 30 } } }, main: importing('preset=tiny') },
  defaultDirectives: { set: { defaultDirectives: { w: 30 } }, main: importing('as=url') },
  outputs: { set: { outputs: { count: (images: readonly unknown[]) => images.length } }, main: importing('as=count') },
  namedExports: { set: { namedExports: false }, main: importing('w=30&as=img') },
  compat: { set: { compat: 'imagetools' }, main: importing('format=jpg&quality=3&effort=4') },
  lqip: { set: { lqip: 'color' }, main: importing('w=30&as=img') },
  types: {
    set: { types: 'src/images.d.ts' },
    main: importing('w=30'),
    see: () => project.list('src'),
  },
  // Nobody answers there, which a warning says.
  remoteImages: {
    set: { remoteImages: ['http://127.0.0.1:9/**'] },
    main: "import url from 'http://127.0.0.1:9/photo.jpg'\nglobalThis.site = url",
  },
  publicDir: { set: { publicDir: false } },
  firstBuild: { set: { firstBuild: 1 }, beside: { effort: 'auto' }, isCold: true, see: namesAtTop },
  cache: {
    set: { cache: { dir: '.images' } },
    isCold: true,
    see: async () => (await project.list('.images')).length > 0,
  },
  lock: { set: { lock: 'images.lock' }, see: namesAtTop },
  report: { set: { report: { json: 'images.json' } }, see: namesAtTop },
  budgets: {
    set: { budgets: [{ include: 'src/images/photo.png', image: '100 B' }] },
    beside: { onError: 'error' },
  },
  onError: { set: { onError: 'error' }, main: "import url from './images/damaged.png'\nglobalThis.site = url" },
  concurrency: { set: { concurrency: 1 }, beside: { concurrency: 2 }, isCold: true, see: () => threadsAsked() },
  limits: { set: { limits: { maxPixels: 2000 } }, isCold: true },
  engine: { set: () => ({ engine: remote() }), isCold: true, see: () => service.requests.length > before },
  store: { set: () => ({ store: bucket() }) },
  publicPath: { set: { publicPath: 'https://cdn.example.com/' }, by: 'rollup' },
}

let project: Project
let service: ImageService
let double: GcsDouble
/** Requests that the service had when the build began. */
let before = 0

/** Processes that were started since the build began. */
const started: ChildProcess[] = []
subscribe('child_process', (message) => void started.push((message as { process: ChildProcess }).process))

/** Returns the number of threads that the process of the work was started for. */
function threadsAsked(): string | undefined {
  return started
    .map(({ spawnargs }) => spawnargs)
    .find((args) => args.some((each) => /\bhost\.js$/.test(each)))
    ?.at(-1)
}

const remote = (): Options['engine'] & object => ({ endpoint: service.endpoint, key: 'test-key' })

const bucket = (): Options['store'] & object => ({
  service: 'gcs',
  gcp_access_token: 'secret',
  path: 'pictures',
  endpoint: double.endpoint,
})

/** Returns the files beside the sources. */
async function namesAtTop(): Promise<readonly string[]> {
  return (await project.list()).filter((file) => !file.includes('/'))
}

beforeAll(async () => {
  service = await startImageService()
  double = await startGcsDouble('pictures', { secret: 'write' })
  const picture = await photo(80, 60).png()
  project = await createProject('option-effects', {
    files: {
      'src/images/photo.png': picture,
      'src/images/logo.png': await transparentGraphic(60, 40).png(),
      'src/images/signed.jpg': await sharp(picture)
        .withExif({ IFD0: { Copyright: 'Ada' } })
        .jpeg({ quality: 97 })
        .toBuffer(),
      'src/images/hdr.jpg': await photoInHdr(80, 60),
      'src/images/damaged.png': picture.subarray(0, 1500),
      'src/images/icon.png': await photo(48, 48, 2).png(),
      'public/copied.png': await photo(60, 50, 3).png(),
      'public/drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><!-- drawn --><rect  width="10.00000" height="5"/></svg>',
      'index.html':
        '<!doctype html><title>x</title><link rel="icon" href="./src/images/icon.png"><img src="./src/images/photo.png"><script type="module" src="./src/main.js"></script>',
    },
  })
})

afterAll(async () => {
  await service.close()
  await double.close()
  await project.dispose()
})

const IMPORTS = ['photo.png', 'logo.png', 'signed.jpg']

/** Builds the project, and tells what is to be seen of it. */
async function outcomeOf(options: Options, { main, isCold, by, see = (outcome) => outcome }: Effect): Promise<unknown> {
  for (const made of ['dist', '.images', 'images.lock', 'pixpress.lock', 'images.json', 'src/images.d.ts'])
    await project.remove(made)
  if (isCold) for (const cache of ['.cache', 'node_modules/.cache']) await project.remove(cache)
  const lines = IMPORTS.map((name, at) => `import i${at} from './images/${name}'`)
  await project.write('src/main.js', main ?? `${lines.join('\n')}\nglobalThis.site = [i0, i1, i2]`)
  started.length = 0
  before = service.requests.length
  const given: Options = { report: false, ...options }
  return see(by === 'rollup' ? await builtByRollup(given) : await builtByVite(given))
}

async function builtByVite(options: Options): Promise<Outcome> {
  const warnings: string[] = []
  const customLogger = createLogger('silent')
  customLogger.warn = customLogger.warnOnce = (message) => void warnings.push(message)
  let error: string | undefined
  try {
    const plugins = [pixpress(options)]
    await build({ root: project.root, configFile: false, customLogger, build: { assetsInlineLimit: 0 }, plugins })
  } catch (thrown) {
    error = (thrown as Error).message
  }
  return { files: await digests(), warnings, ...(error !== undefined && { error }) }
}

async function builtByRollup(options: Options): Promise<Outcome> {
  const { warnings } = await bundle('rollup', project, { options })
  return { files: await digests(), warnings }
}

async function digests(): Promise<string[]> {
  const files = (await project.list('dist')).map((file) => `dist/${file}`)
  const digestOf = async (file: string): Promise<string> =>
    createHash('sha256')
      .update(await project.read(file))
      .digest('hex')
  return Promise.all(files.map(async (file) => `${file} ${await digestOf(file)}`))
}

const optionsOf = (given: Options | (() => Options) = {}): Options => (typeof given === 'function' ? given() : given)

describe('each option', () => {
  it('has a build here in which it changes something', () => {
    expect(Object.keys(EFFECTS).toSorted()).toEqual(Object.keys(PROJECT_OPTIONS).toSorted())
  })

  it.each(Object.entries(EFFECTS))('%s changes what is built', async (_, effect) => {
    const beside = optionsOf(effect.beside)
    const without = await outcomeOf(beside, effect)
    expect(await outcomeOf({ ...beside, ...optionsOf(effect.set) }, effect)).not.toEqual(without)
    // The same build twice looks the same, so that nothing else makes the difference.
    expect(await outcomeOf(beside, effect)).toEqual(without)
  })
})
