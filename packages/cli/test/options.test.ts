import path from 'node:path'
import { OPERATION_DIRECTIVES, PROJECT_OPTIONS, parseFlags } from '@pixpress/core/internal'
import type { OptionRow } from '@pixpress/core/internal'
import { DIRECTIVE_SAMPLES, OPTION_SAMPLES } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parseDirectives } from '../../unplugin/src/directives/parse.ts'
import { parseQuery } from '../../unplugin/src/directives/query.ts'
import { resolvePluginOptions } from '../../unplugin/src/session/options/resolve.ts'
import { COMPRESS_FLAGS } from '../src/compress/flags.ts'
import { resolveCompressSettings } from '../src/compress/settings.ts'
import type { CompressSettings } from '../src/compress/settings.ts'
import { loadConfig } from '../src/base/config.ts'
import type { Config } from '../src/base/config.ts'
import { useFolder } from './command-line.ts'

type Key = keyof typeof PROJECT_OPTIONS

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

function settingsOf(args: readonly string[], config: Config, env: Record<string, string> = {}): CompressSettings {
  const around = { cwd: folder.path, env } as Parameters<typeof resolveCompressSettings>[2]
  const file = path.join(folder.path, 'pixpress.config.mjs')
  return resolveCompressSettings(parseFlags(args, COMPRESS_FLAGS).flags, { config, file }, around)
}

const byFlags = (args: readonly string[], config: Config = {}): string => outcome(() => settingsOf(args, config))

const byDirective = (query: string): string => outcome(() => parseDirectives(parseQuery(query).directives))

describe('an option stands where its row says, and is checked alike everywhere', () => {
  it.each(ROWS)('%s has flags in its sample where its row has them', (key, { flags }) => {
    expect(OPTION_SAMPLES[key].flags !== undefined).toBe(flags !== undefined)
  })

  it.each(ROWS.filter(([, { bundlers }]) => bundlers === undefined))(
    '%s is taken by the plugin and the configuration file, which refuse the same with the same words',
    async (key) => {
      const { valid, invalid } = OPTION_SAMPLES[key]
      expect([byPlugin(key, valid[0]), await byConfig(key, valid[0])]).toEqual(['accepted', 'accepted'])
      const refusal = byPlugin(key, invalid)
      expect(refusal).toContain(`'${key}`)
      expect(await byConfig(key, invalid)).toBe(refusal)
    },
  )

  it.each(ROWS.filter(([, { bundlers }]) => bundlers !== undefined))(
    '%s is taken by the configuration file, and by the plugins of its bundlers alone',
    async (key) => {
      const { valid, invalid } = OPTION_SAMPLES[key]
      expect(await byConfig(key, valid[0])).toBe('accepted')
      expect(await byConfig(key, invalid)).toContain(`'${key}'`)
      expect(byPlugin(key, valid[0])).toContain(`Unknown option '${key}'.`)
    },
  )

  it.each(
    ROWS.flatMap(([key]) =>
      OPTION_SAMPLES[key].flags === undefined ? [] : [[key, OPTION_SAMPLES[key].flags] as const],
    ),
  )('%s is taken and checked behind its flags', (key, { valid, invalid }) => {
    const config = key === 'store' ? { store: OPTION_SAMPLES.store.valid[0] } : {}
    expect(byFlags(valid, config)).toBe('accepted')
    if (invalid !== undefined) expect(byFlags(invalid)).not.toBe('accepted')
    else expect(byFlags(valid)).not.toBe('accepted')
  })

  it.each(OPERATION_DIRECTIVES.map(({ word }) => word as keyof typeof DIRECTIVE_SAMPLES))(
    '%s is taken and checked as a directive',
    (word) => {
      expect(byDirective(DIRECTIVE_SAMPLES[word].query)).toBe('accepted')
      expect(byDirective(DIRECTIVE_SAMPLES[word].invalid)).not.toBe('accepted')
    },
  )

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

it.each<[string, readonly string[], string | undefined]>([
  ['own', [], 'own'],
  ['flag', ['--key', 'flag'], 'own'],
  ['flag', ['--key', 'flag'], undefined],
  ['environment', [], undefined],
  ['environment', ['--engine', 'https://b.example.com'], 'own'],
])('a service gets the key %s with the flags %j and the configured key %s', (expected, args, key) => {
  const engine = { endpoint: 'https://a.example.com', ...(key !== undefined && { key }) }
  const { remote } = settingsOf(args, { engine }, { PIXPRESS_KEY: 'environment' })
  expect([remote?.keys, remote?.endpoint]).toEqual([[expected], args[1]?.includes(':') ? args[1] : engine.endpoint])
})
