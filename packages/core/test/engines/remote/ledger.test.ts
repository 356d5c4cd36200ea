import { describe, expect, it } from 'vitest'
import type { RemoteAccount } from '../../../src/engines/remote/client.ts'
import { createLedger } from '../../../src/engines/remote/ledger.ts'
import type { Ledger, RemoteLimit, Reservation } from '../../../src/engines/remote/ledger.ts'

const unused = (): never => {
  throw new Error('a ledger asks nobody')
}

function accounts(
  ...months: (number | undefined)[]
): (RemoteAccount & { client: { compressionCount: number | undefined } })[] {
  return months.map((compressionCount, index) => ({
    name: `key ${index}`,
    client: { compressionCount, validate: unused, shrink: unused, fetchImage: unused, close: unused },
  }))
}

const open = (limit: RemoteLimit, ...months: (number | undefined)[]): Ledger => createLedger(accounts(...months), limit)

function reserved(ledger: Ledger, compressions: number): Reservation {
  const reservation = ledger.reserve(compressions)
  if (typeof reservation === 'string') throw new Error(reservation)
  return reservation
}

describe('the limit of a build', () => {
  it('counts what is set aside as used until it is given back', () => {
    const ledger = open({ build: 3 }, 0)
    const first = reserved(ledger, 2)
    expect(ledger.reserve(2)).toContain('3 compressions')
    first.spend(1)
    first.release()
    expect(ledger).toMatchObject({ used: 1, left: 2 })
    const second = reserved(ledger, 2)
    second.spend(2)
    second.release()
    expect(ledger).toMatchObject({ used: 3, left: 0 })
    expect(typeof ledger.reserve(1)).toBe('string')
    expect(typeof ledger.reserve(0)).toBe('object')
  })

  it('begins anew with the next build, whose reservations of before still hold', () => {
    const ledger = open({ build: 2 }, 0)
    const before = reserved(ledger, 2)
    ledger.startBuild()
    expect(typeof ledger.reserve(1)).toBe('string')
    before.release()
    before.release()
    expect(typeof ledger.reserve(2)).toBe('object')
  })

  it('is for all keys together', () => {
    const ledger = open({ build: 1 }, 0, 0)
    reserved(ledger, 1).spend(1)
    expect(typeof ledger.reserve(1)).toBe('string')
  })
})

function withCount(count: number | undefined) {
  const [account] = accounts(count)
  return { client: account!.client, account: account!, ledger: createLedger([account!], { build: 10 }) }
}

describe('lost answers', () => {
  it('count against the limit of a build until it is known better', () => {
    const { ledger, client, account } = withCount(5)
    const reservation = reserved(ledger, 2)
    reservation.lose(1)
    reservation.lose(1)
    reservation.spend(2)
    reservation.release()
    expect(ledger).toMatchObject({ used: 2, lost: 2, left: 6 })
    expect(ledger.reserve(7)).toContain('10 compressions')
    expect(ledger.uncertain()).toEqual([account])
    client.compressionCount = 8
    ledger.settle(account)
    expect(ledger).toMatchObject({ used: 3, lost: 0, left: 7 })
    expect(ledger.uncertain()).toEqual([])
  })

  it('are not held to be more than they were, whatever others use the account for', () => {
    const { ledger, client, account } = withCount(5)
    const reservation = reserved(ledger, 1)
    reservation.lose(1)
    reservation.release()
    client.compressionCount = 90
    ledger.settle(account)
    expect(ledger).toMatchObject({ used: 1, lost: 0 })
  })

  it('stay unknown where the count before them is', () => {
    const { ledger, client, account } = withCount(undefined)
    const reservation = reserved(ledger, 1)
    reservation.lose(1)
    reservation.spend(1)
    reservation.release()
    client.compressionCount = 2
    ledger.settle(account)
    expect(ledger).toMatchObject({ used: 1, lost: 1 })
    ledger.startBuild()
    expect(ledger).toMatchObject({ used: 0, lost: 0 })
  })
})

describe('the limit of a month', () => {
  it('is for each key, and counts what others have used', () => {
    const ledger = open({ month: 10 }, 9, 3)
    expect(reserved(ledger, 1).account.name).toBe('key 0')
    expect(reserved(ledger, 1).account.name).toBe('key 1')
    expect(reserved(ledger, 6).account.name).toBe('key 1')
    expect(ledger.reserve(1)).toContain('10 compressions')
  })

  it('goes by what this build used where the service does not count', () => {
    const ledger = open({ month: 2 }, undefined)
    reserved(ledger, 2).spend(2)
    expect(typeof ledger.reserve(1)).toBe('string')
    expect(ledger.keys()).toEqual([{ key: 'key 0', compressions: 2, month: null, limit: 2 }])
  })
})

describe('a key that is barred', () => {
  it('is passed over until the next build', () => {
    const [first, second] = accounts(0, 0)
    const ledger = createLedger([first!, second!], {})
    ledger.bar(first!, 'wrong key')
    expect(reserved(ledger, 1).account).toBe(second)
    expect(ledger.reserve(1, [first!])).toBe('wrong key')
    ledger.bar(second!, 'empty')
    expect(ledger.reserve(1)).toBe('wrong key; empty')
    ledger.startBuild()
    expect(reserved(ledger, 1).account).toBe(first)
    expect(ledger.left).toBeNull()
  })
})
