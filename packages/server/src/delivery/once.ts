import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../http/http-error.ts'
import { BackendUnavailableError } from '../storage/contract.ts'
import type { Leases } from '../storage/contract.ts'

/** Milliseconds without a sign of life after which another server does the work. */
const LEASE = 10_000

/** Milliseconds between signs of life: several in the time of a lease. */
const RENEW_EVERY = 3000

/** Milliseconds between looks whether the other server is done. */
const LOOK_EVERY = 100

/** A task that all servers together do once. */
export interface OnceTask<T> {
  /** A name that every server has for it. */
  readonly name: string
  /** Looks for a result that is there already. */
  find(): Promise<T | undefined>
  make(): Promise<T>
}

/** Does a task, or waits for another server that does it. */
export type Once = <T>(task: OnceTask<T>) => Promise<T>

/**
 * Creates the way in which servers do a task once. Whoever has the lease looks for the result, and makes it where there
 * is none; the others wait for the lease. A server that is gone loses it. Where nobody can be asked, nobody is waited
 * for: twice the same work gives the same bytes.
 * @param patience milliseconds after which waiting fails with HttpError `ServiceUnavailable`
 */
export function createOnce(leases: Leases, patience: number): Once {
  return async (task) => {
    const until = performance.now() + patience
    // A name for each task, so that two tasks of one server never take each other's lease for their own.
    const owner = randomBytes(16).toString('hex')
    const has = async (): Promise<boolean> => {
      try {
        return await leases.acquire(task.name, owner, LEASE)
      } catch (error) {
        if (error instanceof BackendUnavailableError) return true
        throw error
      }
    }
    while (!(await has())) {
      if (performance.now() > until)
        throw unavailable('Another server is still at work on this picture. Try again later.')
      await delay(LOOK_EVERY)
    }
    const renewing = setInterval(() => void has().catch(() => undefined), RENEW_EVERY)
    try {
      return (await task.find()) ?? (await task.make())
    } finally {
      clearInterval(renewing)
      await leases.release(task.name, owner).catch(() => undefined)
    }
  }
}
