import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import { formatBytes } from '@pixpress/core/report'
import { defaultCacheFolder } from '../cache-folder.ts'
import { describeFlags, parseBytes, parseFlags } from '@pixpress/core/internal'
import type { Surroundings } from '../output.ts'
import { EXIT, UsageError } from '../exit.ts'

export const CACHE_FLAGS = {
  dir: { value: 'DIR', description: "the cache's folder (default: that of the project here, else of the user)" },
  'max-size': { value: 'SIZE', description: 'with `prune`: the bytes that may stay, as `500MB` (default 1GiB)' },
  json: { description: 'the answer as JSON' },
  help: { short: 'h', description: 'this text' },
} as const

/** What `pixpress cache` can be asked for, with what it does. */
export const ACTIONS = {
  path: 'prints the folder',
  stats: 'counts the entries and their bytes',
  prune: 'removes the entries used least recently until the rest fits, but none used within the last two hours',
  clear: 'removes every entry',
  verify: 'reads and checks every entry; ends with code 1 when one is damaged',
} as const

type Action = keyof typeof ACTIONS

const HELP = `Looks after the cache that the plugin and the command share.

  pixpress cache <action> [options]

${Object.entries(ACTIONS)
  .map(([name, what]) => `  ${name.padEnd(8)}  ${what}`)
  .join('\n')}

${describeFlags(CACHE_FLAGS)}
`

/** `pixpress cache path|stats|prune|clear|verify`. @throws UsageError, PixpressError `IO_FAILED` */
export async function cache(args: readonly string[], { cwd, env, stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, CACHE_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [action, ...others] = positionals
  if (action === undefined || others.length > 0 || !Object.hasOwn(ACTIONS, action)) {
    throw new UsageError(`Expected one of ${Object.keys(ACTIONS).join(', ')}: pixpress cache stats.`)
  }
  const maxSize = flags['max-size'] === undefined ? undefined : parseBytes('--max-size', flags['max-size'], 0)
  if (maxSize !== undefined && action !== 'prune') throw new UsageError("--max-size is for 'pixpress cache prune'.")
  const dir = flags.dir === undefined ? defaultCacheFolder(cwd, env) : path.resolve(cwd, flags.dir)
  const { figures, text, code } = await perform(action as Action, dir, maxSize)
  stdout.write(flags.json ? `${JSON.stringify({ dir, ...figures })}\n` : `${text}\n`)
  return code
}

interface Answer {
  readonly figures: Readonly<Record<string, number>>
  readonly text: string
  readonly code: number
}

async function perform(action: Action, dir: string, maxSize: number | undefined): Promise<Answer> {
  const store = createFileCache({ dir, ...(maxSize !== undefined && { maxSize }) })
  switch (action) {
    case 'path':
      return { figures: {}, text: dir, code: EXIT.ok }
    case 'stats': {
      const { entries, bytes } = await store.stats()
      return {
        figures: { entries, bytes },
        text: `${entries} entries, ${formatBytes(bytes)}, in ${dir}`,
        code: EXIT.ok,
      }
    }
    case 'prune': {
      const { removed, bytes } = await store.evict()
      return { figures: { removed, bytes }, text: `${removed} entries removed, ${formatBytes(bytes)}`, code: EXIT.ok }
    }
    case 'clear': {
      const { entries: removed, bytes } = await store.stats()
      await store.clear()
      return { figures: { removed, bytes }, text: `${removed} entries removed, ${formatBytes(bytes)}`, code: EXIT.ok }
    }
    case 'verify': {
      const { entries, broken } = await store.verify()
      const text = broken === 0 ? `${entries} entries, all whole` : `${broken} of ${entries} entries damaged`
      return { figures: { entries, broken }, text, code: broken === 0 ? EXIT.ok : EXIT.failed }
    }
  }
}
