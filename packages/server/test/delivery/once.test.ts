import { describe, expect, it } from 'vitest'
import { createOnce } from '../../src/delivery/once.ts'
import { BackendUnavailableError } from '../../src/index.ts'
import type { Leases } from '../../src/index.ts'

/** Leases in memory that several servers share, which end when they are told to. */
function sharedLeases(): Leases & { end(name: string): void } {
  const owners = new Map<string, string>()
  return {
    async acquire(name, owner) {
      if ((owners.get(name) ?? owner) !== owner) return false
      owners.set(name, owner)
      return true
    },
    async release(name, owner) {
      if (owners.get(name) === owner) owners.delete(name)
    },
    end: (name) => void owners.delete(name),
  }
}

const PATIENCE = 600_000

const away = (): Promise<never> => Promise.reject(new BackendUnavailableError('Redis is away'))

describe('a task that is done once', () => {
  it('is made by one of several servers, and found by the others', async () => {
    const leases = sharedLeases()
    let result: string | undefined
    let made = 0
    const task = {
      name: 'picture',
      find: async () => result,
      async make() {
        made++
        await new Promise((resolve) => setTimeout(resolve, 20))
        return (result = 'done')
      },
    }
    const servers = Array.from({ length: 5 }, () => createOnce(leases, PATIENCE))
    expect(await Promise.all(servers.map((once) => once(task)))).toEqual(Array.from({ length: 5 }, () => 'done'))
    expect(made).toBe(1)
  })

  it('is made by another server when the first one has failed or is gone', async () => {
    const leases = sharedLeases()
    const failing = createOnce(
      leases,
      PATIENCE,
    )({
      name: 'picture',
      find: async () => undefined,
      make: () => Promise.reject(new Error('broken')),
    })
    await expect(failing).rejects.toThrow('broken')
    await leases.acquire('picture', 'a server that is gone', 1)
    const waiting = createOnce(
      leases,
      PATIENCE,
    )({
      name: 'picture',
      find: async () => undefined,
      make: async () => 'made',
    })
    leases.end('picture')
    expect(await waiting).toBe('made')
  })

  it('is made where the leases are away: nobody is waited for', async () => {
    const once = createOnce({ acquire: away, release: away }, PATIENCE)
    expect(await once({ name: 'picture', find: async () => undefined, make: async () => 'made' })).toBe('made')
  })

  it('is not waited for without end', async () => {
    const leases = sharedLeases()
    await leases.acquire('picture', 'somebody', 1)
    const waiting = createOnce(leases, 0)({ name: 'picture', find: async () => undefined, make: async () => 'made' })
    await expect(waiting).rejects.toMatchObject({ error: 'ServiceUnavailable' })
  })
})
