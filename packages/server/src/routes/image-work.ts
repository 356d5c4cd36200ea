import { createOptimizer } from '@pixpress/core'
import type { Limits, Operations, OptimizeResult } from '@pixpress/core'
import { createLimit } from '@pixpress/core/internal'
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
  const turns = createLimit({ jobs: concurrency })

  function assertRoom(): void {
    if (turns.active >= concurrency && turns.waiting >= queue) {
      throw unavailable('Too many images are waiting. Try again later.')
    }
  }

  return {
    async run(source, operations, assertWanted) {
      assertRoom()
      return turns.run(async () => {
        assertWanted()
        const plan = optimizer.plan(source, operations)
        // A client gets a type that it asked for: for builds alone the input is a candidate beside a list.
        const strict = { ...plan, operations: { ...plan.operations, orInput: false } }
        return ofItsOwn(await optimizer.materialize(strict))
      })
    },
    assertRoom,
    get waiting() {
      return turns.waiting
    },
    get working() {
      return turns.active
    },
    close: () => optimizer.close(),
  }
}

/** What is answered may be the upload itself, whose memory is used again when its request is over. */
function ofItsOwn(result: OptimizeResult): OptimizeResult {
  return isInPages(result.data) ? { ...result, data: new Uint8Array(result.data) } : result
}
