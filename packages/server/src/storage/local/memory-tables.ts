import type { CompressionCounts, KeyStore, Leases, OutputRecord, StoredKey, Usage } from '../contract.ts'
import type { LocalRecords, LocalTables } from './local-tables.ts'

/** Everything but bytes in memory, for a server that ends with the person who has started it. */
export function createMemoryTables(): LocalTables {
  return {
    name: 'memory',
    keys: createKeys(),
    counts: createCounts(),
    records: createRecords(),
    leases: createLeases(),
    assertOpen: () => undefined,
    close: () => undefined,
  }
}

const place = ({ account, id }: Pick<StoredKey, 'account' | 'id'>): string => JSON.stringify([account, id])

function createKeys(): KeyStore {
  const keys = new Map<string, StoredKey>()
  return {
    async create(key) {
      if (keys.has(key.id)) return false
      keys.set(key.id, key)
      return true
    },
    find: async (id) => keys.get(id),
    async change(id, changes) {
      const key = keys.get(id)
      if (key === undefined) return undefined
      const members = Object.entries({ ...key, ...changes }).filter(([, value]) => value !== null)
      const changed = Object.fromEntries(members) as unknown as StoredKey
      keys.set(id, changed)
      return changed
    },
    async list({ account, after, limit }) {
      const all = [...keys.values()].filter((key) => account === undefined || key.account === account)
      const sorted = all.sort((one, other) => (place(one) < place(other) ? -1 : 1))
      return sorted.filter((key) => after === undefined || place(key) > place(after)).slice(0, limit)
    },
  }
}

function createCounts(): CompressionCounts {
  const counts = new Map<string, Usage>()
  const nothing: Usage = { compressions: 0, bytesIn: 0, bytesOut: 0 }
  const usage = (account: string, month: string): Usage => counts.get(`${month} ${account}`) ?? nothing
  return {
    async increment(account, month, used, limit) {
      const before = usage(account, month)
      const compressions = before.compressions + used.compressions
      if (compressions > limit) return { counted: false, count: before.compressions }
      const [bytesIn, bytesOut] = [before.bytesIn + used.bytesIn, before.bytesOut + used.bytesOut]
      counts.set(`${month} ${account}`, { compressions, bytesIn, bytesOut })
      return { counted: true, count: compressions }
    },
    read: async (account, month) => usage(account, month).compressions,
    usage: async (account, month) => usage(account, month),
  }
}

function createRecords(): LocalRecords {
  const records = new Map<string, OutputRecord>()
  return {
    async create(record) {
      records.set(record.id, record)
    },
    find: async (id) => records.get(id),
    expired: (now, limit) =>
      [...records.values()]
        .filter(({ expiresAt }) => expiresAt <= now)
        .sort((one, other) => one.expiresAt - other.expiresAt)
        .slice(0, limit)
        .map(({ id }) => id),
    has: (id) => records.has(id),
    remove: (id) => void records.delete(id),
  }
}

function createLeases(): Leases {
  const leases = new Map<string, { readonly owner: string; readonly until: number }>()
  return {
    async acquire(name, owner, milliseconds) {
      const now = Date.now()
      const held = leases.get(name)
      if (held !== undefined && held.owner !== owner && held.until > now) return false
      leases.set(name, { owner, until: now + milliseconds })
      return true
    },
    async release(name, owner) {
      if (leases.get(name)?.owner === owner) leases.delete(name)
    },
  }
}
