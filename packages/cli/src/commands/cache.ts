import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import {
  CACHE_REMOTE,
  describeFlags,
  loadCacheTransfer,
  parseBytes,
  parseFlags,
  UsageError,
} from '@pixpress/core/internal'
import { resolveCacheRemote } from '@pixpress/core/internal'
import type { ResolvedCacheRemote } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'
import { configuredCacheFolder, defaultCacheFolder } from '../base/cache-folder.ts'
import { loadConfig } from '../base/config.ts'
import type { Config } from '../base/config.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'
import { EXIT } from '../base/exit.ts'

/** Flags of `pixpress cache`. */
export const CACHE_FLAGS = {
  dir: { value: 'DIR', description: "the cache's folder (default: that of the project here, else of the user)" },
  'max-size': { value: 'SIZE', description: 'with `prune`: the bytes that may stay, as `500MB` (default 1GiB)' },
  remote: { description: 'with `stats` and `verify`: those of `cache.remote` instead of the folder' },
  json: { description: 'the answer as JSON' },
  config: {
    value: 'FILE',
    short: 'c',
    description: 'the configuration file (default: the nearest `pixpress.config.ts`)',
  },
  help: { short: 'h', description: 'this text' },
} as const

interface Answer {
  readonly figures: Readonly<Record<string, number | readonly string[]>>
  readonly text: string
  /** Default: all good. */
  readonly code?: number
}

interface Task {
  readonly dir: string
  /** Files that a new folder keeps out of Git. */
  readonly gitIgnored: boolean | 'others'
  /** Bytes. */
  readonly maxSize: number | undefined
  /** True if `--remote` was given. */
  readonly isRemote: boolean
  readonly signal: AbortSignal
  /** @throws UsageError where the configuration has none, PixpressError `INVALID_OPTION` without a signing key */
  remote(): ResolvedCacheRemote
}

interface Action {
  readonly what: string
  /** Flags of this action alone that it takes. */
  readonly takes?: readonly ('max-size' | 'remote')[]
  run(task: Task): Promise<Answer>
}

/** The actions of `pixpress cache` by their names. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  path: {
    what: 'prints the folder',
    run: async ({ dir }) => ({ figures: {}, text: dir }),
  },
  stats: {
    what: 'counts the entries and their bytes',
    takes: ['remote'],
    async run({ dir, isRemote, remote, signal }) {
      if (isRemote) {
        const { countRemote } = await loadCacheTransfer()
        const entries = await countRemote({ remote: remote(), signal })
        return { figures: { entries }, text: `${entries} entries in the remote cache` }
      }
      const { entries, bytes } = await createFileCache({ dir }).stats()
      return { figures: { entries, bytes }, text: `${entries} entries, ${formatBytes(bytes)}, in ${dir}` }
    },
  },
  prune: {
    what: 'removes the entries used least recently until the rest fits, but none used within the last two hours',
    takes: ['max-size'],
    async run({ dir, maxSize }) {
      const { removed, bytes } = await createFileCache({ dir, ...(maxSize !== undefined && { maxSize }) }).evict()
      return { figures: { removed, bytes }, text: `${removed} entries removed, ${formatBytes(bytes)}` }
    },
  },
  clear: {
    what: 'removes every entry',
    async run({ dir }) {
      const store = createFileCache({ dir })
      const { entries: removed, bytes } = await store.stats()
      await store.clear()
      return { figures: { removed, bytes }, text: `${removed} entries removed, ${formatBytes(bytes)}` }
    },
  },
  verify: {
    what: 'reads and checks every entry; ends with code 1 when one is damaged or not signed',
    takes: ['remote'],
    async run({ dir, isRemote, remote, signal }) {
      if (isRemote) {
        const { verifyRemote } = await loadCacheTransfer()
        const { entries, refused } = await verifyRemote({ remote: remote(), signal })
        const bad = [`${refused.length} of ${entries} entries are not signed as they are:`, ...refused].join('\n  ')
        const text = refused.length === 0 ? `${entries} entries, all whole and signed` : bad
        return { figures: { entries, refused }, text, code: refused.length === 0 ? EXIT.ok : EXIT.failed }
      }
      const { entries, broken } = await createFileCache({ dir }).verify()
      const text = broken === 0 ? `${entries} entries, all whole` : `${broken} of ${entries} entries damaged`
      return { figures: { entries, broken }, text, code: broken === 0 ? EXIT.ok : EXIT.failed }
    },
  },
  push: {
    what: 'sends the entries that `cache.remote` lacks',
    async run({ dir, remote, signal }) {
      const { pushCache } = await loadCacheTransfer()
      const { sent, present } = await pushCache({ dir, remote: remote(), signal })
      return { figures: { sent, present }, text: `${sent} entries sent, ${present} were there already` }
    },
  },
  pull: {
    what: 'fetches the entries of `cache.remote` that the folder lacks',
    async run({ dir, gitIgnored, remote, signal }) {
      const { pullCache } = await loadCacheTransfer()
      const { fetched, present, refused } = await pullCache({ dir, gitIgnored, remote: remote(), signal })
      const others = refused === 0 ? '' : `, ${refused} are not signed as they are and were left`
      const text = `${fetched} entries fetched, ${present} were here already${others}`
      return { figures: { fetched, present, refused }, text }
    },
  },
}

const HELP = `Looks after the cache that the plugin and the command share.

  pixpress cache <action> [options]

${Object.entries(ACTIONS)
  .map(([name, { what }]) => `  ${name.padEnd(8)}  ${what.replaceAll('`', '')}`)
  .join('\n')}

${describeFlags(CACHE_FLAGS)}
`

/** `pixpress cache <action>`. @throws UsageError, PixpressError `IO_FAILED`, `REMOTE_UNAVAILABLE`, `INVALID_OPTION` */
export async function cache(args: readonly string[], around: Surroundings): Promise<number> {
  const { cwd, env, stdout, signal } = around
  const { flags, positionals } = parseFlags(args, CACHE_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0 || !Object.hasOwn(ACTIONS, name)) {
    throw new UsageError(`Expected one of ${Object.keys(ACTIONS).join(', ')}: pixpress cache stats.`)
  }
  const action = ACTIONS[name]!
  for (const flag of ['max-size', 'remote'] as const) {
    if (flags[flag] !== undefined && action.takes?.includes(flag) !== true) throw misplaced(flag)
  }
  const loaded = await loadConfig(cwd, flags.config)
  const dir = flags.dir === undefined ? configuredCacheFolder(loaded, around) : path.resolve(cwd, flags.dir)
  const isUsual = dir === defaultCacheFolder(cwd, env) || 'others'
  const { figures, text, code } = await action.run({
    dir,
    gitIgnored: flags.dir === undefined && isUsual,
    maxSize: flags['max-size'] === undefined ? undefined : parseBytes('--max-size', flags['max-size'], 0),
    isRemote: flags.remote === true,
    signal,
    remote: () => remoteOf(loaded.config, env),
  })
  // A folder by itself is read by scripts.
  const shown = name === 'path' ? `${text}\n` : endingOf(text)
  stdout.write(flags.json ? `${JSON.stringify({ dir, ...figures })}\n` : shown)
  return code ?? EXIT.ok
}

function misplaced(flag: 'max-size' | 'remote'): UsageError {
  const takers = Object.keys(ACTIONS).filter((name) => ACTIONS[name]!.takes?.includes(flag))
  return new UsageError(`--${flag} is for ${takers.map((name) => `'pixpress cache ${name}'`).join(' and ')}.`)
}

function remoteOf({ cache: given }: Config, env: Surroundings['env']): ResolvedCacheRemote {
  const remote = typeof given === 'object' ? given.remote : undefined
  if (remote !== undefined) return resolveCacheRemote(CACHE_REMOTE.parse(remote, 'cache.remote'), env)
  throw new UsageError("There is no remote cache: give 'cache.remote' in pixpress.config.ts.")
}
