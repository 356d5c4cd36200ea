import path from 'node:path'
import { OPERATION_DIRECTIVES, PROJECT_OPTIONS, parseFlags } from '@pixpress/core/internal'
import type { OptionRow } from '@pixpress/core/internal'
import { describe, expect, it } from 'vitest'
import { parseDirectives } from '../../unplugin/src/directives/parse.ts'
import { parseQuery } from '../../unplugin/src/directives/query.ts'
import { resolvePluginOptions } from '../../unplugin/src/session/options/resolve.ts'
import { COMPRESS_FLAGS } from '../src/compress/flags.ts'
import { resolveCompressSettings } from '../src/compress/settings.ts'
import { loadConfig } from '../src/base/config.ts'
import type { Config } from '../src/base/config.ts'
import { useFolder } from './command-line.ts'

type Key = keyof typeof PROJECT_OPTIONS

/** A right and a wrong value of each option, and how flags and directives say a right and a wrong one. */
interface Sample {
  readonly right: unknown
  readonly wrong: unknown
  readonly flags?: { readonly right: readonly string[]; readonly wrong?: readonly string[] }
  readonly directive?: { readonly right: string; readonly wrong: string }
}

const SAMPLES: { readonly [K in Key]: Sample } = {
  resize: {
    right: { method: 'fit', width: 5, height: 5 },
    wrong: { method: 'fit', width: 5 },
    flags: { right: ['--resize', 'fit', '--width=5', '--height=5'], wrong: ['--resize=fit', '--width=5'] },
  },
  convert: {
    right: { type: 'image/webp' },
    wrong: { type: 'image/wepb' },
    flags: { right: ['--convert', 'webp'], wrong: ['--convert', 'wepb'] },
  },
  transform: {
    right: { background: 'white' },
    wrong: { background: 'rde' },
    flags: { right: ['--background', 'white'], wrong: ['--background', 'rde'] },
    directive: { right: 'background=white', wrong: 'background=rde' },
  },
  preserve: {
    right: ['copyright'],
    wrong: ['copyrigth'],
    flags: { right: ['--preserve', 'copyright'], wrong: ['--preserve', 'copyrigth'] },
    directive: { right: 'preserve=copyright', wrong: 'preserve=copyrigth' },
  },
  quality: {
    right: 'small',
    wrong: 'smal',
    flags: { right: ['-q', 'small'], wrong: ['-q', 'smal'] },
    directive: { right: 'quality=small', wrong: 'quality=smal' },
  },
  maxBytes: {
    right: 5,
    wrong: 0,
    flags: { right: ['--max-bytes', '5'], wrong: ['--max-bytes', '0'] },
    directive: { right: 'maxBytes=5', wrong: 'maxBytes=0' },
  },
  effort: {
    right: 'fast',
    wrong: 'fats',
    flags: { right: ['--effort', 'fast'], wrong: ['--effort', 'fats'] },
    directive: { right: 'effort=fast', wrong: 'effort=fats' },
  },
  encoder: { right: { 'image/webp': { quality: 5 } }, wrong: { 'image/webp': { quality: 0 } } },
  svgo: { right: { plugins: ['removeTitle'], floatPrecision: 2 }, wrong: { plugins: ['removeTitel'] } },
  keepElements: { right: true, wrong: 'yes' },
  lossless: {
    right: true,
    wrong: 'yes',
    flags: { right: ['--lossless'], wrong: ['--lossless=yes'] },
    directive: { right: 'lossless', wrong: 'lossless=yes' },
  },
  gainMap: {
    right: false,
    wrong: 'keep',
    flags: { right: ['--no-gain-map'], wrong: ['--no-gain-map=yes'] },
    directive: { right: 'gainmap=false', wrong: 'gainmap=keep' },
  },
  maxWidth: { right: 1200, wrong: 0, flags: { right: ['--max-width', '1200'], wrong: ['--max-width', 'wide'] } },
  adjust: {
    right: { rotate: 90, tint: 'teal' },
    wrong: { rotate: '90' },
    flags: { right: ['--rotate', '90', '--blur', 'mild'], wrong: ['--rotate', 'left'] },
  },
  root: { right: 'src', wrong: 5 },
  include: { right: '**/*.png', wrong: 5 },
  exclude: { right: ['**/*.png'], wrong: [''] },
  overrides: { right: [{ include: '**/*.png', lossless: true }], wrong: [{ lossless: true }] },
  fallback: { right: false, wrong: true },
  dimensions: { right: false, wrong: 'no' },
  convertIcons: { right: true, wrong: 'yes' },
  presets: { right: { hero: { w: 5 } }, wrong: 'hero' },
  defaultDirectives: { right: { format: 'webp' }, wrong: 'format=webp' },
  outputs: { right: {}, wrong: 'list' },
  namedExports: { right: false, wrong: 'no' },
  compat: { right: 'imagetools', wrong: 'imagetool' },
  lqip: { right: 'thumbhash', wrong: 'sqip' },
  types: { right: 'src/pixpress.d.ts', wrong: '' },
  remoteImages: { right: ['https://images.example.com/photos/**'], wrong: ['images.example.com'] },
  publicDir: { right: false, wrong: 'public' },
  firstBuild: { right: '5s', wrong: '5 apples' },
  cache: {
    right: { dir: 'cache', maxSize: 5 },
    wrong: { dir: '' },
    flags: { right: ['--cache-dir', 'cache'], wrong: ['--cache-dir='] },
  },
  lock: { right: 'images.lock', wrong: '' },
  report: {
    right: { json: 'report.json', html: 'report.html' },
    wrong: 'report.json',
    flags: { right: ['--html', 'report.html'], wrong: ['--html='] },
  },
  budgets: { right: [{ include: '**/*.png', image: '200 kB', growth: '5%' }], wrong: [{ image: '200 apples' }] },
  onError: { right: 'error', wrong: 'fail' },
  concurrency: { right: 2, wrong: 0, flags: { right: ['-j', '2'], wrong: ['-j', '0'] } },
  limits: { right: { maxFrames: 5 }, wrong: { maxFrames: 0 } },
  engine: {
    right: { endpoint: 'https://images.example.com', key: 'k' },
    wrong: 'remote',
    flags: {
      right: ['--engine', 'https://images.example.com', '--key', 'k'],
      wrong: ['--engine', 'http://images.example.com', '--key', 'k'],
    },
  },
  store: {
    right: { service: 'gcs', gcp_access_token: 'x', path: 'bucket/folder' },
    wrong: 'bucket/folder',
    // The configuration says where.
    flags: { right: ['--store'] },
  },
  publicPath: { right: '/static/', wrong: 5 },
}

const ROWS = Object.entries<OptionRow<unknown>>(PROJECT_OPTIONS) as [Key, OptionRow<unknown>][]
const folder = useFolder()

const outcome = (action: () => unknown): string => {
  try {
    action()
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

const byPlugin = (key: string, value: unknown): string =>
  outcome(() => resolvePluginOptions({ [key]: value }, folder.path))

/** Files are loaded once in a process, so each has a name of its own. */
let files = 0

async function byConfig(key: string, value: unknown): Promise<string> {
  const name = `${++files}.mjs`
  await folder.write({ [name]: `export default ${JSON.stringify({ [key]: value })}` })
  return loadConfig(folder.path, name).then(
    () => 'accepted',
    (error: Error) => error.message.replace(/^.*\.mjs: /, ''),
  )
}

const byFlags = (args: readonly string[], config: Config = {}): string =>
  outcome(() => {
    const around = { cwd: folder.path, env: {} } as Parameters<typeof resolveCompressSettings>[2]
    const file = path.join(folder.path, 'pixpress.config.mjs')
    return resolveCompressSettings(parseFlags(args, COMPRESS_FLAGS).flags, { config, file }, around)
  })

const byDirective = (query: string): string => outcome(() => parseDirectives(parseQuery(query).directives))

describe('an option stands where its row says, and is checked alike everywhere', () => {
  it.each(ROWS)('%s has flags and a directive here where its row has them', (key, { flags }) => {
    const hasDirective = OPERATION_DIRECTIVES.some((directive) => directive.key === key)
    expect([SAMPLES[key].flags !== undefined, SAMPLES[key].directive !== undefined]).toEqual([
      flags !== undefined,
      hasDirective,
    ])
  })

  it.each(ROWS.filter(([, { bundlers }]) => bundlers === undefined))(
    '%s is taken by the plugin and the configuration file, which refuse the same with the same words',
    async (key) => {
      const { right, wrong } = SAMPLES[key]
      expect([byPlugin(key, right), await byConfig(key, right)]).toEqual(['accepted', 'accepted'])
      const refusal = byPlugin(key, wrong)
      expect(refusal).toContain(`'${key}`)
      expect(await byConfig(key, wrong)).toBe(refusal)
    },
  )

  it.each(ROWS.filter(([, { bundlers }]) => bundlers !== undefined))(
    '%s is taken by the configuration file, and by the plugins of its bundlers alone',
    async (key) => {
      expect(await byConfig(key, SAMPLES[key].right)).toBe('accepted')
      expect(await byConfig(key, SAMPLES[key].wrong)).toContain(`'${key}'`)
      expect(byPlugin(key, SAMPLES[key].right)).toContain(`Unknown option '${key}'.`)
    },
  )

  it.each(ROWS.flatMap(([key]) => (SAMPLES[key].flags === undefined ? [] : [[key, SAMPLES[key].flags] as const])))(
    '%s is taken and checked behind its flags',
    (key, { right, wrong }) => {
      const config = key === 'store' ? { store: SAMPLES.store.right as NonNullable<Config['store']> } : {}
      expect(byFlags(right, config)).toBe('accepted')
      if (wrong !== undefined) expect(byFlags(wrong)).not.toBe('accepted')
      else expect(byFlags(right)).not.toBe('accepted')
    },
  )

  it.each(
    ROWS.flatMap(([key]) => (SAMPLES[key].directive === undefined ? [] : [[key, SAMPLES[key].directive] as const])),
  )('%s is taken and checked as a directive', (_, { right, wrong }) => {
    expect(byDirective(right)).toBe('accepted')
    expect(byDirective(wrong)).not.toBe('accepted')
  })

  it('no place takes an option without a row, and all say so with one sentence', async () => {
    const sentence = "Unknown option 'budget'."
    expect(byPlugin('budget', 5)).toContain(sentence)
    expect(await byConfig('budget', 5)).toContain(sentence)
    expect(byFlags(['--budget', '5'])).toContain("Unknown option '--budget'.")
    expect(byPlugin('presets', { hero: { budget: 5 } })).toContain("Unknown option 'presets.hero.budget'.")
  })
})

it('a regular expression in the configuration is refused by the command with a plain sentence', () => {
  expect(byFlags([], { include: /a/ } as never)).toMatch(/^Expected globs for the command.* for 'include'/)
})
