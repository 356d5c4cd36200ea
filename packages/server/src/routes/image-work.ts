import { createOptimizer } from '@pixpress/core'
import type { Limits, Operations, OptimizeResult, Optimizer } from '@pixpress/core'
import { orientationOf } from '@pixpress/core/internal'
import { createAdmission } from '../admission/admission.ts'
import type { Admission } from '../admission/admission.ts'
import { createPace, expectCost } from '../admission/cost.ts'
import type { Cost } from '../admission/cost.ts'
import { isInPages } from '../http/page-memory.ts'
import { NO_TRACING } from '../telemetry/tracing.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { tracedMake, tracedTurn } from './traced-work.ts'
import type { WorkResult } from './traced-work.ts'

export type { WorkResult } from './traced-work.ts'

/** Who waits for an image. */
export interface Asker {
  readonly account: string
  /** It is called when its turn has come; what it throws is the result, and the turn goes to the next. */
  readonly assertWanted: () => void
}

/** The engine, and the layer of admission before it. */
export interface ImageWork extends Admission {
  /**
   * Runs operations on an image when its turn has come.
   * @throws HttpError `ServiceUnavailable` when too many wait already; PixpressError of the engine
   */
  run(source: Uint8Array, operations: Operations, asker: Asker): Promise<WorkResult>
  /**
   * Compresses an image that is fetched when its turn has come.
   * @param cost as `cost` expects it
   * @throws as `run`, and what `load` throws
   */
  runLater(load: () => Promise<Uint8Array>, cost: Cost, asker: Asker): Promise<WorkResult>
  /** Expects what a compression costs, by the header. @throws PixpressError for what the engine would refuse */
  cost(source: Uint8Array): Promise<Cost>
  close(): Promise<void>
}

/** Sizes and limits of the work. */
export interface ImageWorkSettings {
  /** Images worked on at once. */
  readonly concurrency: number
  /** Bytes that these may take together, decoded. */
  readonly workMemory: number
  /** Images that may wait. */
  readonly queue: number
  /** Milliseconds that an image may wait. */
  readonly maxWait: number
  /** Shares of accounts by name; 1 where there is none. */
  readonly weights: ReadonlyMap<string, number>
  /** `auto`: images are worked on in a process of their own, in a sandbox where there is one. */
  readonly sandbox: 'auto' | 'none'
  readonly limits: Readonly<Required<Limits>>
}

/** The share of the memory for work that small pictures have beside large ones: 64 MB of 512. */
const SPARE = 1 / 8

/**
 * Puts admission before the engine: a service that takes on more than it can do answers nobody in time. The engine's
 * own gate would wait without end, and knows no accounts, so that it is opened wide.
 */
export function createImageWork(settings: ImageWorkSettings, tracing: Tracing = NO_TRACING): ImageWork {
  const { concurrency, workMemory, queue, maxWait, weights, sandbox, limits } = settings
  const optimizer = createOptimizer({
    concurrency: concurrency + 1,
    memory: Number.MAX_SAFE_INTEGER,
    limits,
    cache: false,
    ownProcess: sandbox === 'auto' && 'sandboxed',
  })
  const spareMemory = Math.floor(workMemory * SPARE)
  const admission = createAdmission(
    {
      places: concurrency,
      memory: workMemory - spareMemory,
      spareMemory,
      queue,
      maxWait,
      weightOf: (account) => weights.get(account) ?? 1,
    },
    createPace(),
  )
  const make = tracedMake((source, operations) => makeStrictly(optimizer, source, operations), tracing)
  const turn = tracedTurn(admission.turn, tracing)
  const { assertRoom, retryAfter, counts } = admission

  function begin(task: () => Promise<WorkResult>, cost: Cost, asker: Asker): Promise<WorkResult> {
    const begun = (): Promise<WorkResult> => {
      asker.assertWanted()
      return task()
    }
    return turn(begun, { account: asker.account, cost })
  }

  return {
    async run(source, operations, asker) {
      assertRoom(asker.account)
      return begin(() => make(source, operations), await expectCost(optimizer, source, operations), asker)
    },
    runLater: (load, cost, asker) => begin(async () => make(await load(), {}), cost, asker),
    cost: (source) => expectCost(optimizer, source, {}),
    turn,
    assertRoom,
    retryAfter,
    counts,
    get idle() {
      return admission.idle
    },
    get waiting() {
      return admission.waiting
    },
    get working() {
      return admission.working
    },
    close: () => optimizer.close(),
  }
}

/** Makes a type that was asked for: a client gets no other, as for builds alone the input is a candidate. */
async function makeStrictly(optimizer: Optimizer, source: Uint8Array, operations: Operations): Promise<WorkResult> {
  const plan = optimizer.plan(source, operations)
  const result = await optimizer.materialize({ ...plan, operations: { ...plan.operations, orInput: false } })
  const orientation = await orientationOf(result.data, result.info.type)
  return { ...ofItsOwn(result), ...(orientation !== undefined && { orientation }) }
}

/** The result may be the upload itself, whose memory is used again when its request is over, so it is copied. */
function ofItsOwn(result: OptimizeResult): OptimizeResult {
  return isInPages(result.data) ? { ...result, data: new Uint8Array(result.data) } : result
}
