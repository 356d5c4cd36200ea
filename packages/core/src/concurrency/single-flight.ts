/** Runs one job per key, however many ask. */
export interface SingleFlight<T> {
  /**
   * Runs the job, or joins the run of the same key that is under way: all callers get its one result or its one error.
   * Nothing is remembered once it has settled. A job must not run its own key.
   */
  run(key: string, job: () => Promise<T>): Promise<T>
}

/** Shares work that is wanted several times at once, under keys that name it. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>()
  return {
    run(key, job) {
      const current = flights.get(key)
      if (current !== undefined) return current
      const flight = settle(key, job)
      flights.set(key, flight)
      return flight
    },
  }

  async function settle(key: string, job: () => Promise<T>): Promise<T> {
    try {
      // Registered before the job starts: even one that throws at once is forgotten after that, not before.
      await undefined
      return await job()
    } finally {
      flights.delete(key)
    }
  }
}
