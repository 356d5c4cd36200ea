import path from 'node:path'
import { UsageError, describeFlags, parseFlags } from '@pixpress/core/internal'
import type { Flag } from '@pixpress/core/internal'
import { FLAGS } from '../settings/flags.ts'
import { KEY_TERMS, parseTerms } from '../settings/key-terms.ts'
import type { TermWord } from '../settings/key-terms.ts'
import { parseRedisUrl } from '../settings/settings.ts'
import { KEYS_ACTIONS } from './actions.ts'
import { openKeys } from './open-store.ts'

type ValueFlag = Flag & { readonly value: string }
type Switch = Omit<Flag, 'value'>

const termFlag = (word: TermWord): ValueFlag => ({
  value: KEY_TERMS[word].value,
  description: `with \`add\` and \`limit\`: ${KEY_TERMS[word].description}`,
})

/** Flags of `pixpress keys`. */
export const KEYS_FLAGS: Readonly<
  Record<TermWord | 'data' | 'redis', ValueFlag> & Record<'all' | 'json' | 'help', Switch>
> = {
  'monthly-limit': termFlag('monthly-limit'),
  rate: termFlag('rate'),
  expires: termFlag('expires'),
  operations: termFlag('operations'),
  all: { description: 'with `list`: revoked keys too' },
  data: { value: FLAGS.data.value, variable: FLAGS.data.variable, description: "the server's data folder" },
  redis: { value: FLAGS.redis.value, variable: FLAGS.redis.variable, description: 'the Redis that servers share' },
  json: { description: 'the answer as JSON' },
  help: { short: 'h', description: 'this text' },
}

const HELP = `Looks after the keys of servers, while they run: a change holds from the next request on.

  pixpress keys <action> [options]

${Object.entries(KEYS_ACTIONS)
  .map(([name, { what, takes }]) => `  ${`${name} ${takes}`.padEnd(14)}  ${what}`)
  .join('\n')}

${describeFlags(KEYS_FLAGS)}
`

/** The process around `pixpress keys`. */
export interface KeysHost {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes a whole text, with the ends of its lines. */
  readonly out: (text: string) => void
}

/**
 * Runs `pixpress keys <action>` on the storage of servers.
 * @throws UsageError, PixpressError `INVALID_OPTION` or `IO_FAILED`, BackendUnavailableError
 */
export async function keysCommand(argv: readonly string[], { cwd, env, out }: KeysHost): Promise<void> {
  const { flags, positionals } = parseFlags(argv, KEYS_FLAGS, env)
  if (flags.help) return out(HELP)
  const [actionName = '', name, ...others] = positionals
  const action = Object.hasOwn(KEYS_ACTIONS, actionName) ? KEYS_ACTIONS[actionName] : undefined
  if (action === undefined) {
    throw new UsageError(`Expected one of ${Object.keys(KEYS_ACTIONS).join(', ')}: pixpress keys list.`)
  }
  if (others.length > 0 || (action.needsName && name === undefined)) {
    throw new UsageError(`Expected 'pixpress keys ${actionName} ${action.takes}', and flags.`)
  }
  for (const word of Object.keys(KEY_TERMS) as TermWord[]) {
    if (flags[word] !== undefined && !action.takesTerms) throw misplaced(word, ['add', 'limit'])
  }
  if (flags.all && actionName !== 'list') throw misplaced('all', ['list'])
  const now = Date.now()
  const changes = parseTerms(flags, (word) => `--${word}`, now)
  const opened = await openKeys({
    data: path.resolve(cwd, flags.data ?? 'pixpress-data'),
    redisUrl: flags.redis === undefined ? undefined : parseRedisUrl('--redis', flags.redis),
    isMade: actionName === 'add',
  })
  try {
    const { lines, ending, json } = await action.run({ opened, name, changes, isAll: flags.all === true, now })
    out(flags.json ? `${JSON.stringify(json)}\n` : `${[...lines, `pixpress  ${ending}`].join('\n')}\n`)
  } finally {
    await opened.close()
  }
}

function misplaced(flag: string, actions: readonly string[]): UsageError {
  return new UsageError(`--${flag} is for ${actions.map((name) => `'pixpress keys ${name}'`).join(' and ')}.`)
}
