/** Runs a few tasks at once; the others wait for their turn. */
export interface Limiter {
  /**
   * Runs a task when its turn has come.
   * @param isFirst whether it goes before those that wait
   */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal, isFirst?: boolean): Promise<Result>
}

/**
 * Creates a limiter.
 * @param most tasks that run at once
 */
export function createLimiter(most: number): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  const next = (): void => {
    while (running < most && waiting.length > 0) {
      running++
      waiting.shift()!()
    }
  }
  return {
    async run(task, signal, isFirst = false) {
      await new Promise<void>((resolve, reject) => {
        const begin = (): void => resolve()
        waiting[isFirst ? 'unshift' : 'push'](begin)
        signal.addEventListener('abort', () => {
          const at = waiting.indexOf(begin)
          if (at === -1) return
          waiting.splice(at, 1)
          reject(signal.reason as Error)
        })
        next()
      })
      try {
        signal.throwIfAborted()
        return await task()
      } finally {
        running--
        next()
      }
    },
  }
}
