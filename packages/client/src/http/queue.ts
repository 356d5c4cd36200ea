/** Bounds how many tasks run at once; the others wait in the order they came. */
export interface Queue {
  /**
   * Runs the task when its turn has come.
   * @throws the signal's reason when it is aborted before that
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Creates a queue that runs so many tasks at once, in the order in which they came. */
export function createQueue(concurrency: number): Queue {
  const waiting = new Set<() => void>()
  let active = 0

  function startNext(): void {
    const [next] = waiting
    if (next === undefined || active >= concurrency) return
    waiting.delete(next)
    active++
    next()
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = (): void => {
        waiting.delete(start)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.add(start)
      startNext()
    })
  }

  return {
    async run(task, signal) {
      signal?.throwIfAborted()
      await turn(signal)
      try {
        return await task()
      } finally {
        active--
        startNext()
      }
    },
  }
}
