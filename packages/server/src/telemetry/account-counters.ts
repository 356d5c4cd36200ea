import type { Family, Samples } from './families.ts'

/**
 * Accounts with lines of their own. Further ones are counted together: a monitor keeps every line for each of its
 * looks, and a hundred thousand accounts would fill it.
 */
const NAMED = 1000

/** Stands for the further ones. No account can have this name. */
const OTHERS = '(others)'

/** The use of an account by one request. */
export interface AccountCounted {
  readonly compressions: number
  /** Bytes of an image that was uploaded or fetched. */
  readonly bytesIn: number
  /** Bytes of its compressed image. */
  readonly bytesOut: number
}

/** The counts of accounts in this process, by their names. */
export interface AccountCounters {
  add(account: string, counted: AccountCounted): void
  /** Returns the metrics that have them. */
  families(): Family[]
}

/** Creates counters that are all 0. */
export function createAccountCounters(): AccountCounters {
  const counts = new Map<string, AccountCounted>()
  return {
    add(account, { compressions, bytesIn, bytesOut }) {
      const name = counts.has(account) || counts.size < NAMED ? account : OTHERS
      const before = counts.get(name) ?? { compressions: 0, bytesIn: 0, bytesOut: 0 }
      counts.set(name, {
        compressions: before.compressions + compressions,
        bytesIn: before.bytesIn + bytesIn,
        bytesOut: before.bytesOut + bytesOut,
      })
    },
    families: () => METRICS.map(({ name, help, value }) => counterOf(name, help, samplesOf(counts, value))),
  }
}

interface Row {
  readonly name: string
  readonly help: string
  readonly value: (counted: AccountCounted) => number
}

const METRICS: readonly Row[] = [
  {
    name: 'compressions',
    help: 'Compressions counted, by account.',
    value: ({ compressions }) => compressions,
  },
  {
    name: 'bytes_in',
    help: 'Bytes of images uploaded or fetched, by account.',
    value: ({ bytesIn }) => bytesIn,
  },
  {
    name: 'bytes_saved',
    help: 'Bytes by which their compressed images are smaller, by account.',
    value: ({ bytesIn, bytesOut }) => bytesIn - bytesOut,
  },
]

const samplesOf = (counts: ReadonlyMap<string, AccountCounted>, value: Row['value']): Samples =>
  [...counts].map(([account, counted]) => [{ account }, value(counted)])

const counterOf = (name: string, help: string, samples: Samples): Family => ({
  name: `pixpress_account_${name}_total`,
  type: 'counter',
  help,
  samples,
})
