import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { UsageError, describeFlags, parseFlags } from '@pixpress/core/internal'
import type { Flag } from '@pixpress/core/internal'
import { FLAGS } from '../settings/flags.ts'
import type { KeysHost } from '../keys/command.ts'
import { backUpStorage } from './back-up-storage.ts'
import type { Description } from './layout.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'

/** Flags of `pixpress storage`. */
export const STORAGE_FLAGS: Readonly<
  Record<'data', Flag & { readonly value: string }> & Record<'json' | 'help', Omit<Flag, 'value'>>
> = {
  data: { value: FLAGS.data.value, variable: FLAGS.data.variable, description: "the server's data folder" },
  json: { description: 'the answer as JSON' },
  help: { short: 'h', description: 'this text' },
}

/** The folders that an action works with, as absolute paths. */
interface StorageTask {
  readonly data: string
  readonly folder: string
}

/** The outcome of an action: what programs read, and what the last line for people says. */
interface StorageAnswer {
  readonly ending: string
  readonly json: Description
}

interface StorageAction {
  readonly what: string
  run(task: StorageTask): Promise<StorageAnswer>
}

/** The actions of `pixpress storage` by their names. */
export const STORAGE_ACTIONS: Readonly<Record<string, StorageAction>> = {
  backup: {
    what: 'copies keys, counts, records and outputs into FOLDER, also while the server runs',
    async run({ data, folder }) {
      const json = await backUpStorage(data, folder, Date.now())
      const without = json.leftOut === 0 ? '' : `; ${json.leftOut} expired while it was made`
      return { json, ending: `backed up ${amountOf(json)} to ${folder}${without}` }
    },
  },
  verify: {
    what: 'checks the backup in FOLDER: every digest, the database, and that records have their bytes',
    async run({ folder }) {
      const scratch = await mkdtemp(path.join(os.tmpdir(), 'pixpress-verify-'))
      try {
        const json = await verifyBackup(folder, scratch)
        return { json, ending: `the backup ${folder} is whole: ${amountOf(json)}` }
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
  },
  restore: {
    what: 'checks the backup in FOLDER, and makes a data folder of it where there is none',
    async run({ data, folder }) {
      const json = await restoreBackup(folder, data)
      return { json, ending: `restored ${amountOf(json)} to ${data}` }
    },
  },
}

const HELP = `Backs up the data folder of a server, and brings it back.

  pixpress storage <action> FOLDER [options]

${Object.entries(STORAGE_ACTIONS)
  .map(([name, { what }]) => `  ${`${name} FOLDER`.padEnd(16)}${what}`)
  .join('\n')}

${describeFlags(STORAGE_FLAGS)}
`

/**
 * Runs `pixpress storage <action> FOLDER`.
 * @throws UsageError, PixpressError `INVALID_OPTION` for a damaged backup, BackendUnavailableError
 */
export async function storageCommand(argv: readonly string[], { cwd, env, out }: KeysHost): Promise<void> {
  const { flags, positionals } = parseFlags(argv, STORAGE_FLAGS, env)
  if (flags.help) return out(HELP)
  const [name = '', folder, ...others] = positionals
  const action = Object.hasOwn(STORAGE_ACTIONS, name) ? STORAGE_ACTIONS[name] : undefined
  if (action === undefined) {
    throw new UsageError(`Expected one of ${Object.keys(STORAGE_ACTIONS).join(', ')}: pixpress storage backup FOLDER.`)
  }
  if (folder === undefined || others.length > 0) throw new UsageError(`Expected 'pixpress storage ${name} FOLDER'.`)
  const task = { data: path.resolve(cwd, flags.data ?? 'pixpress-data'), folder: path.resolve(cwd, folder) }
  const { ending, json } = await action.run(task)
  out(flags.json ? `${JSON.stringify(json)}\n` : `pixpress  ${ending}\n`)
}

const amountOf = ({ outputs, bytes }: Description): string =>
  `${outputs} output${outputs === 1 ? '' : 's'}, ${(bytes / 1e6).toFixed(1)} MB`
