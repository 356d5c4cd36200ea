import { problemOf, sentenceEnd } from './client.ts'
import type { RemoteAccount, RemoteClient } from './client.ts'
import type { Endpoint } from './endpoints.ts'
import { createLedger } from './ledger.ts'
import type { Ledger, RemoteLimit } from './ledger.ts'

/** The accounts of each endpoint, by the same keys in the same order, and one ledger for all. */
export interface Opened {
  readonly ledger: Ledger
  readonly accounts: ReadonlyMap<Endpoint, readonly RemoteAccount[]>
}

/** The accounts of one engine, which are opened when the first image needs them. */
export interface Accounts {
  /** `undefined` before the first image. */
  readonly opened: Opened | undefined
  /** Returns the accounts of an endpoint and the ledger, when they are known to be usable. */
  at(endpoint: Endpoint): Promise<{ readonly here: readonly RemoteAccount[]; readonly ledger: Ledger }>
  /** An output may be at another endpoint than the one that took the upload: its client may show it the key. */
  clientAt(url: string, account: RemoteAccount): RemoteClient
  /** Settles the lost answers of all accounts, as far as the service can tell by now. */
  settle(): Promise<void>
  close(): void
}

/** The way accounts are opened and bounded. */
export interface AccountsOptions {
  readonly open: (endpoint: string) => Promise<readonly RemoteAccount[]>
  readonly limit: RemoteLimit
  readonly askFirst: boolean
}

/** Milliseconds that a service may take at the end of a build to tell what became of lost answers. */
const MAX_SETTLING = 5000

/** Creates the accounts of one engine at all of its endpoints. */
export function createAccounts(endpoints: readonly Endpoint[], { open, limit, askFirst }: AccountsOptions): Accounts {
  let opening: Promise<Opened> | undefined
  let opened: Opened | undefined
  /** Endpoints whose accounts were asked for their counts. */
  const asked = new Map<Endpoint, Promise<unknown>>()

  async function openAll(): Promise<Opened> {
    const lists = await Promise.all(endpoints.map(async (each) => [each, await open(each.url)] as const))
    const all = lists.flatMap(([, accounts]) => accounts)
    opened = { ledger: createLedger(all, limit, lists[0]![1].length), accounts: new Map(lists) }
    return opened
  }

  /** Forgets a client that could not be opened: it may be there when the next image asks. */
  function forgetOpening(error: unknown): never {
    opening = undefined
    throw error
  }

  return {
    get opened() {
      return opened
    },
    async at(endpoint) {
      const { accounts, ledger } = await (opening ??= openAll().catch(forgetOpening))
      const here = accounts.get(endpoint)!
      if (!askFirst) return { here, ledger }
      // A month's limit cannot be kept without knowing what is used already.
      const asking = asked.get(endpoint) ?? Promise.all(here.map((account) => readCount(account, ledger)))
      asked.set(endpoint, asking)
      await asking.catch((error: unknown) => {
        asked.delete(endpoint)
        throw error
      })
      return { here, ledger }
    },
    clientAt: (url, account) => clientAmong([...opened!.accounts], url, account),
    async settle() {
      if (opened === undefined) return
      const { ledger } = opened
      await Promise.all(ledger.uncertain().map((account) => settleAccount(account, ledger)))
    },
    close() {
      for (const { client } of [...(opened?.accounts.values() ?? [])].flat()) client.close()
    },
  }
}

/** A wrong key shows itself here, at no cost. */
async function readCount(account: RemoteAccount, ledger: Ledger): Promise<void> {
  try {
    await account.client.validate()
  } catch (error) {
    if (problemOf(error) === undefined) throw error
    ledger.bar(account, sentenceEnd(error as Error))
  }
}

/** Settles the lost answers of an account, as far as the service can tell by now. */
async function settleAccount(account: RemoteAccount, ledger: Ledger): Promise<void> {
  try {
    await account.client.validate({ signal: AbortSignal.timeout(MAX_SETTLING) })
    ledger.settle(account)
  } catch (error) {
    // A service that is still away: the report says how much is not known.
    if (problemOf(error) === undefined && (error as Error).name !== 'TimeoutError') throw error
  }
}

/** Returns the client of an account's key at the endpoint that has the URL, else the account's own. */
function clientAmong(
  lists: readonly (readonly [Endpoint, readonly RemoteAccount[]])[],
  url: string,
  account: RemoteAccount,
): RemoteClient {
  const place = lists.find(([, accounts]) => accounts.includes(account))!
  const { origin } = new URL(url)
  const isThere = ([endpoint]: (typeof lists)[number]): boolean => new URL(endpoint.url).origin === origin
  const [, there] = isThere(place) ? place : (lists.find(isThere) ?? place)
  return there[place[1].indexOf(account)]!.client
}
