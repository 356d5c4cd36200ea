import { createOptimizer } from '@pixpress/core'
import type { Limits, Operations, OptimizeResult, Optimizer } from '@pixpress/core'
import { createLimit } from '@pixpress/core/internal'
import { unavailable } from '../http/http-error.ts'
import { isInPages } from '../http/page-memory.ts'

/** The queue in front of the engine. */
export interface ImageWork {
  /**
   * Runs operations on an image when its turn has come.
   * @param assertWanted called then; what it throws is the result, and the turn goes to the next
   * @throws HttpError `ServiceUnavailable` when too many wait already; PixpressError of the engine
   */
  run(source: Uint8Array, operations: Operations, assertWanted: () => void): Promise<OptimizeResult>
  /**
   * Does something that works on one image, when its turn has come, however many wait.
   * @param given up: it does not begin any more, and does not count as waiting; `undefined` is the result
   */
  turn<T>(task: () => Promise<T>, given?: AbortSignal): Promise<T | undefined>
  /** Runs operations on an image at once: to be called in a turn. @throws PixpressError of the engine */
  make(source: Uint8Array, operations: Operations): Promise<OptimizeResult>
  /** Counts the pixels of all frames together, by the header; 0 where that cannot be read. */
  pixels(source: Uint8Array): Promise<number>
  /** An image could be worked on at once. */
  readonly idle: boolean
  /** Resolves when one could. */
  whenIdle(): Promise<void>
  /** @throws HttpError `ServiceUnavailable` when `run` would refuse: to be asked before an upload is read */
  assertRoom(): void
  readonly waiting: number
  readonly working: number
  close(): Promise<void>
}

/** Sizes and limits of the queue. */
export interface ImageWorkSettings {
  /** Images worked on at once. */
  readonly concurrency: number
  /** Images that may wait. */
  readonly queue: number
  /** `auto`: images are worked on in a process of their own, in a sandbox where there is one. */
  readonly sandbox: 'auto' | 'none'
  readonly limits: Readonly<Required<Limits>>
}

/**
 * Puts a bounded queue before the engine: a service that takes on more than it can do answers nobody in time. The
 * engine's own gate would wait without end. It is one closure, as the queue and its counts belong together.
 */
export function createImageWork({ concurrency, queue, sandbox, limits }: ImageWorkSettings): ImageWork {
  const ownProcess = sandbox === 'auto' && 'sandboxed'
  const optimizer = createOptimizer({ concurrency, limits, cache: false, ownProcess })
  const turns = createLimit({ jobs: concurrency })

  const idlers: (() => void)[] = []
  /** Turns that nobody waits for any more: they end as soon as they begin. */
  let givenUp = 0
  const waiting = (): number => Math.max(0, turns.waiting - givenUp)
  const isIdle = (): boolean => turns.active < concurrency && turns.waiting === 0

  function assertRoom(): void {
    if (turns.active >= concurrency && waiting() >= queue) {
      throw unavailable('Too many images are waiting. Try again later.')
    }
  }

  function onEnd(): void {
    if (isIdle()) for (const resolve of idlers.splice(0)) resolve()
  }

  const make: ImageWork['make'] = (source, operations) => makeStrictly(optimizer, source, operations)

  async function turn<T>(task: () => Promise<T>, given?: AbortSignal): Promise<T | undefined> {
    let begun = false
    const giveUp = (): void => {
      if (!begun) givenUp++
    }
    given?.addEventListener('abort', giveUp, { once: true })
    try {
      return await turns.run(() => {
        begun = true
        if (given?.aborted !== true) return task()
        givenUp--
        return Promise.resolve(undefined)
      })
    } finally {
      given?.removeEventListener('abort', giveUp)
      onEnd()
    }
  }

  return {
    async run(source, operations, assertWanted) {
      assertRoom()
      return (await turn(() => {
        assertWanted()
        return make(source, operations)
      }))!
    },
    turn,
    make,
    pixels: (source) => pixelsOf(optimizer, source),
    get idle() {
      return isIdle()
    },
    whenIdle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => void idlers.push(resolve))),
    assertRoom,
    get waiting() {
      return waiting()
    },
    get working() {
      return turns.active
    },
    close: () => optimizer.close(),
  }
}

function pixelsOf(optimizer: Optimizer, source: Uint8Array): Promise<number> {
  return optimizer.probe(source).then(
    ({ width, height, frames }) => width * height * frames,
    () => 0,
  )
}

/** Makes a type that was asked for: a client gets no other, as for builds alone the input is a candidate. */
async function makeStrictly(optimizer: Optimizer, source: Uint8Array, operations: Operations): Promise<OptimizeResult> {
  const plan = optimizer.plan(source, operations)
  return ofItsOwn(await optimizer.materialize({ ...plan, operations: { ...plan.operations, orInput: false } }))
}

/** The result may be the upload itself, whose memory is used again when its request is over, so it is copied. */
function ofItsOwn(result: OptimizeResult): OptimizeResult {
  return isInPages(result.data) ? { ...result, data: new Uint8Array(result.data) } : result
}
