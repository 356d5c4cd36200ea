import { createOptimizer } from '@pixpress/core'
import type { Limits, Operations, OptimizeResult } from '@pixpress/core'
import { unavailable } from '../http/http-error.ts'
import { isInPages } from '../http/page-memory.ts'

export interface ImageWork {
  /**
   * Runs operations on an image when its turn has come.
   * @param assertWanted called then; what it throws is the result, and the turn goes to the next
   * @throws HttpError `ServiceUnavailable` when too many wait already; PixpressError of the engine
   */
  run(source: Uint8Array, operations: Operations, assertWanted: () => void): Promise<OptimizeResult>
  /** @throws HttpError `ServiceUnavailable` when `run` would refuse: to be asked before an upload is read */
  assertRoom(): void
  readonly waiting: number
  readonly working: number
  close(): Promise<void>
}

export interface ImageWorkSettings {
  /** Images worked on at once. */
  readonly concurrency: number
  /** Images that may wait. */
  readonly queue: number
  readonly limits: Readonly<Required<Limits>>
}

/**
 * A bounded queue before the engine: a service that takes on more than it can do answers nobody in time. The engine's
 * own gate would wait without end.
 */
export function createImageWork({ concurrency, queue, limits }: ImageWorkSettings): ImageWork {
  const optimizer = createOptimizer({ concurrency, limits, cache: false })
  const waiting: (() => void)[] = []
  let working = 0

  function assertRoom(): void {
    if (working >= concurrency && waiting.length >= queue) {
      throw unavailable('Too many images are waiting. Try again later.')
    }
  }

  return {
    async run(source, operations, assertWanted) {
      assertRoom()
      if (working < concurrency) working++
      // The place is handed over, so `working` stays.
      else await new Promise<void>((start) => waiting.push(start))
      try {
        assertWanted()
        return ofItsOwn(await optimizer.optimize(source, operations))
      } finally {
        const next = waiting.shift()
        if (next === undefined) working--
        else next()
      }
    },
    assertRoom,
    get waiting() {
      return waiting.length
    },
    get working() {
      return working
    },
    close: () => optimizer.close(),
  }
}

/** What is answered may be the upload itself, whose memory is used again when its request is over. */
function ofItsOwn(result: OptimizeResult): OptimizeResult {
  return isInPages(result.data) ? { ...result, data: new Uint8Array(result.data) } : result
}
