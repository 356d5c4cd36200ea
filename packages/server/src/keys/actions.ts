import { UsageError } from '@pixpress/core/internal'
import { monthOf } from '../accounts/accounting.ts'
import { ACCOUNT_NAME, hashKey, keyId, makeKey } from '../accounts/keys.ts'
import type { KeyChanges, StoredKey } from '../storage/contract.ts'
import { withoutNulls } from '../settings/key-terms.ts'
import { isLiveKey, keyJson, keyTable } from './lines.ts'
import type { OpenedKeys } from './open-store.ts'

/** The arguments of an action. */
export interface KeysTask {
  readonly opened: OpenedKeys
  /** The name of an account, or the id of a key; `undefined` where none was given. */
  readonly name: string | undefined
  /** The terms that were given. */
  readonly changes: KeyChanges
  /** Revoked keys are listed too. */
  readonly isAll: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The outcome of an action, for people and for programs. */
export interface KeysAnswer {
  readonly lines: readonly string[]
  /** The last line says what was achieved. */
  readonly ending: string
  readonly json: Readonly<Record<string, unknown>>
}

interface Action {
  readonly what: string
  /** The words behind the action in the help. */
  readonly takes: string
  readonly needsName: boolean
  /** Terms of keys are among its flags. */
  readonly takesTerms: boolean
  run(task: KeysTask): Promise<KeysAnswer>
}

/** The actions of `pixpress keys` by their names. */
export const KEYS_ACTIONS: Readonly<Record<string, Action>> = {
  add: {
    what: 'makes a key for the account NAME, and shows it this once',
    takes: 'NAME',
    needsName: true,
    takesTerms: true,
    run: add,
  },
  list: {
    what: "lists keys with their limits and their accounts' use in this month",
    takes: '[NAME]',
    needsName: false,
    takesTerms: false,
    run: list,
  },
  revoke: {
    what: 'has servers refuse a key, or all keys of an account, from their next request on',
    takes: 'NAME|ID',
    needsName: true,
    takesTerms: false,
    run: revoke,
  },
  limit: {
    what: 'changes limit, rate, expiry or operations of a key, or of all keys of an account',
    takes: 'NAME|ID',
    needsName: true,
    takesTerms: true,
    run: limit,
  },
}

/** Keys read at once. */
const PAGE = 1000

/** Characters of a key that are kept, of 32: the others still hold 156 random bits. */
const PREFIX = 6

async function add({ opened, name = '', changes, now }: KeysTask): Promise<KeysAnswer> {
  if (!ACCOUNT_NAME.test(name)) {
    throw new UsageError("Expected a name of 1 to 64 letters, digits, '.', '_' and '-': pixpress keys add shop.")
  }
  const others = await liveKeys(opened, name, now)
  const newest = others.toSorted((one, other) => other.createdAt - one.createdAt)[0]
  const key = makeKey()
  const stored: StoredKey = {
    ...withoutNulls({ ...sharedTerms(newest), ...changes }),
    ...identity(key),
    account: name,
    createdAt: now,
  }
  if (!(await opened.keys.create(stored))) throw new Error('Two keys have the same id: run the command once more.')
  const inherited = newest === undefined ? '' : `; what was not given is as for its key ${newest.id}`
  return {
    lines: [`  ${key}`],
    ending: `made a key of ${name}, shown this once: its hash and first characters are kept, in ${opened.place}${inherited}`,
    json: { account: name, id: stored.id, key },
  }
}

const identity = (key: string): Pick<StoredKey, 'id' | 'hash' | 'prefix'> => {
  const hash = hashKey(key)
  return { id: keyId(hash), hash: hash.toString('hex'), prefix: key.slice(0, PREFIX) }
}

/** A second key of an account, for clients to change over, is not to lift the account's limits. */
function sharedTerms(newest: StoredKey | undefined): KeyChanges {
  const { monthlyLimit = null, rate = null, operations = null } = newest ?? {}
  return { monthlyLimit, rate, operations }
}

async function list({ opened, name, isAll, now }: KeysTask): Promise<KeysAnswer> {
  const keys = (await allKeys(opened, name)).filter(({ revokedAt }) => isAll || revokedAt === undefined)
  const month = monthOf(now)
  const counts = new Map<string, Promise<number>>()
  const usedBy = (account: string): Promise<number> => {
    const count = counts.get(account) ?? opened.counts.read(account, month)
    counts.set(account, count)
    return count
  }
  const listed = await Promise.all(keys.map(async (key) => ({ key, used: await usedBy(key.account) })))
  return {
    lines: listed.length === 0 ? [] : [keyTable(listed, now)],
    ending: `${amountOf(listed.length)} in ${opened.place}`,
    json: { month, keys: listed.map((each) => keyJson(each, now)) },
  }
}

async function revoke({ opened, name = '', now }: KeysTask): Promise<KeysAnswer> {
  const keys = await keysOf(opened, name, now)
  for (const { id } of keys) await opened.keys.change(id, { revokedAt: now })
  return { lines: keys.map(shown), ending: `revoked ${amountOf(keys.length)}`, json: { revoked: keys.map(idOf) } }
}

async function limit({ opened, name = '', changes, now }: KeysTask): Promise<KeysAnswer> {
  if (Object.keys(changes).length === 0) {
    throw new UsageError('Expected what to change: pixpress keys limit shop --monthly-limit 500.')
  }
  const keys = await keysOf(opened, name, now)
  for (const { id } of keys) await opened.keys.change(id, changes)
  return { lines: keys.map(shown), ending: `changed ${amountOf(keys.length)}`, json: { changed: keys.map(idOf) } }
}

const shown = ({ account, id, prefix }: StoredKey): string => `  ${id} of ${account}, which begins with ${prefix}`

const idOf = ({ id }: StoredKey): string => id

const amountOf = (count: number): string => `${count} key${count === 1 ? '' : 's'}`

/**
 * Finds the keys of an account that can still change, or the key of an id. The words are not shown where there is none:
 * somebody may have given the key itself.
 */
async function keysOf(opened: OpenedKeys, name: string, now: number): Promise<StoredKey[]> {
  const ofAccount = ACCOUNT_NAME.test(name) ? await unrevoked(opened, name) : []
  if (ofAccount.length > 0) return ofAccount
  const one = /^[\da-f]{16}$/.test(name) ? await opened.keys.find(name) : undefined
  if (one === undefined) {
    throw new UsageError(
      `There is no such name of an account and no such id of a key in ${opened.place}; 'pixpress keys list' shows ` +
        'both. Keys of --key, PIXPRESS_KEYS and a keys file are not among them.',
    )
  }
  if (one.revokedAt === undefined) return [one]
  throw new UsageError(`The key was revoked on ${new Date(Math.min(one.revokedAt, now)).toISOString()}.`)
}

const unrevoked = async (opened: OpenedKeys, account: string): Promise<StoredKey[]> =>
  (await allKeys(opened, account)).filter(({ revokedAt }) => revokedAt === undefined)

const liveKeys = async (opened: OpenedKeys, account: string, now: number): Promise<StoredKey[]> =>
  (await allKeys(opened, account)).filter((key) => isLiveKey(key, now))

async function allKeys({ keys }: OpenedKeys, account: string | undefined): Promise<StoredKey[]> {
  const found: StoredKey[] = []
  for (;;) {
    const page = await keys.list({ account, after: found.at(-1), limit: PAGE })
    found.push(...page)
    if (page.length < PAGE) return found
  }
}
