import { FileCache, createFileCache } from './cache/file-store.ts'
import type { CacheEntry, CacheStore } from './cache/store.ts'
import { createSingleFlight } from './concurrency/single-flight.ts'
import type { JobResult } from './work/job.ts'
import type { ImageEngine } from './engines/contract.ts'
import { createLocalEngine } from './engines/local/engine.ts'
import { PixpressError } from './errors.ts'
import { resolveOptions } from './optimizer-options.ts'
import type { OptimizerOptions } from './optimizer-options.ts'
import { identity, makePlan } from './plan.ts'
import { readSource } from './image-source.ts'
import type { ImageSource } from './image-source.ts'
import type { ImageInfo, KeptReason, Operations, OptimizeResult, Plan, ProbeResult } from './types.ts'

/** Counts since the optimizer was made. */
export interface OptimizerStats {
  /** Images that were worked on, that is not answered from the cache. */
  encoded: number
  /** Images answered from the cache. */
  cacheHits: number
  /** Images that failed. */
  failed: number
}

export interface Optimizer {
  /**
   * The first phase: cheap, synchronous, deterministic. Gives the identity of the work.
   * @throws PixpressError `INVALID_OPTION`, `INPUT_MISSING`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
   */
  plan(source: Uint8Array, operations?: Operations, context?: { file?: string | undefined }): Plan
  /**
   * The second phase: from the cache, or encoded once however many callers ask at the same time.
   * @throws PixpressError `DECODE_FAILED`, `BACKGROUND_REQUIRED`, `INPUT_TOO_LARGE`, `TIMEOUT`, …
   */
  materialize(plan: Plan): Promise<OptimizeResult>
  /** Both phases. */
  optimize(
    source: ImageSource,
    operations?: Operations,
    context?: { file?: string | undefined },
  ): Promise<OptimizeResult>
  /** What the header says, without decoding. @throws PixpressError `DECODE_FAILED`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE` */
  probe(source: ImageSource, context?: { file?: string | undefined }): Promise<ProbeResult>
  readonly stats: Readonly<OptimizerStats>
  /** Ends threads and trims the cache to its size. The optimizer can be used again afterwards. */
  close(): Promise<void>
}

/** @throws PixpressError `INVALID_OPTION` */
export function createOptimizer(options?: OptimizerOptions): Optimizer {
  const resolved = resolveOptions(options)
  const { limits } = resolved
  const cache = openCache(resolved.cache, resolved.onWarning)
  const flights = createSingleFlight<OptimizeResult>()
  const local = createLocalEngine(resolved)
  const { engine: chosen = local } = resolved
  const stats: OptimizerStats = { encoded: 0, cacheHits: 0, failed: 0 }
  let trimmedAt = 0

  /** The key under which an engine's result is cached: made of all that decides its bytes, and nothing else. */
  function cacheKey({ key, source, operations }: Plan, engine: ImageEngine): string {
    return engine === local ? key : identity(source, engine.relevantOperations(operations), engine.identity)
  }

  async function fromCache(plan: Plan, engine: ImageEngine, key: string): Promise<OptimizeResult | undefined> {
    const entry = await cache?.get(key)
    if (entry === undefined) return undefined
    const { meta } = entry as { meta: unknown } as { meta: CachedMeta }
    const data = meta.same ? plan.source : entry.data
    engine.reused(key, meta.compressions ?? 0)
    return {
      data,
      info: meta.info,
      input: meta.input,
      key: plan.key,
      cached: true,
      kept: meta.kept,
      ...remarksOf(meta),
      notes: meta.notes,
    }
  }

  async function work(plan: Plan, engine: ImageEngine, cachedAs: string): Promise<OptimizeResult> {
    const { source, type, operations, file, key } = plan
    const outcome = await engine.run({ source, type, operations, limits, file }, cachedAs)
    if (outcome === 'local') {
      // Cached as a result of this machine, so that the other engine is asked again next time.
      const instead = await answer({ ...plan, key: identity(source, operations) }, local)
      return { ...instead, key }
    }
    const { result, compressions, lasting } = outcome
    stats.encoded++
    if (lasting) {
      await cache?.set(cachedAs, toEntry(result, source, compressions))
      if (resolved.rememberResults && result.data !== source) {
        const next = engine.accepts(result.info.type) ? engine : local
        const finished = identity(result.data, next.relevantOperations(operations), next.identity)
        await cache?.set(finished, toFinishedEntry(result))
      }
    }
    const { data, info, input, kept, notes, work: done } = result
    return { data, info, input, key, cached: false, kept, ...remarksOf(result), notes, ...(done && { work: done }) }
  }

  async function answer(plan: Plan, engine: ImageEngine): Promise<OptimizeResult> {
    const key = cacheKey(plan, engine)
    const hit = await fromCache(plan, engine, key)
    if (hit === undefined) return work(plan, engine, key)
    stats.cacheHits++
    return hit
  }

  async function materialize(plan: Plan): Promise<OptimizeResult> {
    try {
      return await flights.run(plan.key, () => answer(plan, chosen.accepts(plan.type) ? chosen : local))
    } catch (error) {
      stats.failed++
      throw named(error, plan.file)
    }
  }

  const plan: Optimizer['plan'] = (source, operations, context) =>
    makePlan(source, operations, limits, context?.file, chosen)

  return {
    plan,
    materialize,
    stats,
    optimize: async (source, operations, context) =>
      materialize(plan(await readSource(source, limits, context?.file), operations, context)),
    async probe(given, context) {
      const source = await readSource(given, limits, context?.file)
      const { type } = makePlan(source, undefined, limits, context?.file)
      const { probeImage } = await import('./work/probe.ts')
      return probeImage(source, type, limits, context?.file)
    },
    async close() {
      await local.close()
      if (chosen !== local) await chosen.close()
      // Only what this optimizer added can have taken the cache over its bound.
      if (cache instanceof FileCache && stats.encoded > trimmedAt) await cache.evict()
      trimmedAt = stats.encoded
      await cache?.close?.()
    },
  }
}

let shared: Optimizer | undefined

/** The one-liner: no cache, default limits. @throws PixpressError */
export function optimize(input: ImageSource, operations?: Operations): Promise<OptimizeResult> {
  shared ??= createOptimizer()
  return shared.optimize(input, operations)
}

/** What is cached beside the bytes, so that a hit gives all that a miss gives. */
interface CachedMeta {
  info: ImageInfo
  input: ImageInfo
  kept: 'output' | 'input'
  reason?: KeptReason
  score?: number
  notes: readonly string[]
  /** The result is the source, byte for byte: nothing is stored twice. */
  same: boolean
  /** What a service counted for it. */
  compressions?: number
}

function toEntry(result: JobResult, source: Uint8Array, compressions: number): CacheEntry {
  const { data, info, input, kept, notes } = result
  const same = Buffer.compare(data, source) === 0
  const meta: CachedMeta = {
    info,
    input,
    kept,
    ...remarksOf(result),
    notes,
    same,
    ...(compressions > 0 && { compressions }),
  }
  return { meta: { ...meta }, data: same ? new Uint8Array() : data }
}

/** The entry for a result that comes back as an input: there is nothing left to do. */
function toFinishedEntry({ info }: JobResult): CacheEntry {
  const meta: CachedMeta = { info, input: info, kept: 'input', reason: 'finished', notes: [], same: true }
  return { meta: { ...meta }, data: new Uint8Array() }
}

/** What is only there where there is something to say. */
function remarksOf({
  reason,
  score,
}: {
  reason?: KeptReason | undefined
  score?: number | undefined
}): Pick<OptimizeResult, 'reason' | 'score'> {
  return { ...(reason !== undefined && { reason }), ...(score !== undefined && { score }) }
}

function openCache(
  cache: ReturnType<typeof resolveOptions>['cache'],
  onWarning: (message: string) => void,
): CacheStore | undefined {
  if (cache === false) return undefined
  return 'get' in cache ? cache : createFileCache({ ...cache, onWarning })
}

function named(error: unknown, file: string | undefined): PixpressError {
  if (error instanceof PixpressError) return file === undefined ? error : error.withFile(file)
  const message = error instanceof Error ? error.message : String(error)
  return new PixpressError('INTERNAL', `Unexpected failure: ${message}`, { file, cause: error })
}
