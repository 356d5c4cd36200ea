import { FileCache } from '../cache/file-store.ts'
import { openCache as openProjectCache } from '../cache/layers/open-cache.ts'
import type { CacheStore } from '../cache/store.ts'
import { fromEntry, remarksOf, toEntry, toFinishedEntry } from './cached-result.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { ImageEngine } from '../engines/contract.ts'
import { createLocalEngine } from '../engines/local/engine.ts'
import { codecFault } from '../base/faults.ts'
import { namedError } from '../base/errors.ts'
import { createMeasurements } from './measurements.ts'
import type { Measurements } from './measurements.ts'
import { createMissingResults } from './missing-results.ts'
import { resolveOptions } from './options.ts'
import type { OptimizerOptions } from './options.ts'
import { oneOf } from '../options/parsers.ts'
import { PLACEHOLDER_KINDS, PLACEHOLDER_REVISION } from '../placeholder/kinds.ts'
import type { Placeholder, PlaceholderKind } from '../placeholder/kinds.ts'
import { identity, makePlan } from '../plan/plan.ts'
import { readSource } from '../base/image-source.ts'
import type { ImageSource } from '../base/image-source.ts'
import { engineVersions } from '../base/versions.ts'
import type { ProbeResult } from '../base/types.ts'
import type { MaterializeExtras, OptimizeResult } from './result.ts'
import type { Operations } from '../operations/index.ts'
import type { Plan } from '../plan/plan.ts'

/** Counts since the optimizer was made. */
export interface OptimizerStats {
  /** Images that were worked on, that is not answered from the cache. */
  encoded: number
  /** Images answered from the cache. */
  cacheHits: number
  /** Images that failed. */
  failed: number
}

/** Optimizes images: the object that builds and servers keep. */
export interface Optimizer extends Measurements {
  /**
   * Runs the first phase, which is cheap, synchronous and deterministic. Returns the identity of the work.
   * @throws PixpressError `INVALID_OPTION`, `INPUT_MISSING`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
   */
  plan(source: Uint8Array, operations?: Operations, context?: { file?: string | undefined }): Plan
  /**
   * Runs the second phase: takes the result from the cache, or encodes it once, however many callers ask at the same
   * time.
   * @param extras `placeholder`: a placeholder as well, made of the pixels that are decoded anyway; the image's bytes
   * and key stay the same. The result has none where none can be made. `pinned`: the key of an earlier engine's result
   * of the same work, which is taken as it is where the cache has it.
   * @throws PixpressError `DECODE_FAILED`, `BACKGROUND_REQUIRED`, `INPUT_TOO_LARGE`, `TIMEOUT`, `MACHINE_UNFIT`, …
   */
  materialize(plan: Plan, extras?: MaterializeExtras): Promise<OptimizeResult>
  /**
   * Returns the result of `materialize` if the cache has it. Encodes nothing. @throws PixpressError `INVALID_OPTION`,
   * `DECODE_FAILED`, …
   */
  recall(plan: Plan, extras?: MaterializeExtras): Promise<OptimizeResult | undefined>
  /**
   * Returns the placeholder for the planned image: from the cache, or from its pixels, without encoding it.
   * `materialize` gives the same bytes. It is always made on this machine.
   * @throws PixpressError `INVALID_OPTION` for another kind, `DECODE_FAILED`, `INPUT_TOO_LARGE`, `TIMEOUT`, …
   */
  placeholder(plan: Plan, kind: PlaceholderKind): Promise<Placeholder>
  /** Runs both phases. */
  optimize(
    source: ImageSource,
    operations?: Operations,
    context?: { file?: string | undefined },
  ): Promise<OptimizeResult>
  /**
   * Reads the header, without decoding. @throws PixpressError `DECODE_FAILED`, `INPUT_TOO_LARGE` or `UNSUPPORTED_TYPE`
   */
  probe(source: ImageSource, context?: { file?: string | undefined }): Promise<ProbeResult>
  readonly stats: Readonly<OptimizerStats>
  /**
   * Fails if a frozen cache lacked any result since the last call, with all of them together. It is called when a build
   * ends, before `close`.
   * @throws PixpressError `NOT_CACHED` with a line for each result that is missing
   */
  assertComplete(): void
  /** Ends threads and trims the cache to its size. The optimizer can be used again afterwards. */
  close(): Promise<void>
}

/** @throws PixpressError `INVALID_OPTION` */
export function createOptimizer(options?: OptimizerOptions): Optimizer {
  const resolved = resolveOptions(options)
  const { limits } = resolved
  const cache = openCache(resolved.cache, resolved.onWarning)
  const flights = createSingleFlight<OptimizeResult>()
  const placeholders = createSingleFlight<Placeholder>()
  const local = createLocalEngine(resolved)
  const { engine: chosen = local } = resolved
  const stats: OptimizerStats = { encoded: 0, cacheHits: 0, failed: 0 }
  const missing = createMissingResults()
  let trimmedAt = 0

  const engineOf = ({ type }: Plan): ImageEngine => (chosen.accepts(type) ? chosen : local)

  /** Returns the key under which an engine's result is cached: made of all that decides its bytes, and nothing else. */
  function cacheKey({ key, source, operations }: Plan, engine: ImageEngine): string {
    return engine === local ? key : identity(source, engine.relevantOperations(operations), engine.identity)
  }

  async function fromCache(plan: Plan, engine: ImageEngine, key: string): Promise<OptimizeResult | undefined> {
    const entry = await cache?.get(key)
    if (entry === undefined) return undefined
    const { result, compressions } = fromEntry(entry, plan)
    engine.reused(key, compressions)
    return result
  }

  async function work(
    plan: Plan,
    engine: ImageEngine,
    cachedAs: string,
    wanted?: PlaceholderKind,
  ): Promise<OptimizeResult> {
    const { source, type, operations, file, key } = plan
    const extra = wanted && { placeholder: wanted }
    const outcome = await engine.run({ source, type, operations, limits, file, ...extra }, cachedAs)
    if (outcome === 'local') {
      // Cached as a result of this machine, so that the other engine is asked again next time.
      const instead = await answer({ ...plan, key: identity(source, operations) }, local, wanted)
      return { ...instead, key }
    }
    const { result, compressions, lasting } = outcome
    stats.encoded++
    if (result.placeholder !== undefined) await keepPlaceholder(plan, result.placeholder)
    if (lasting) {
      await cache?.set(cachedAs, toEntry(result, source, compressions))
      if (resolved.rememberResults && result.data !== source) {
        const next = engine.accepts(result.info.type) ? engine : local
        const finished = identity(result.data, next.relevantOperations(operations), next.identity)
        // A source that stays as it came has its own entry already, which says why it stays.
        if (finished !== cachedAs) await cache?.set(finished, toFinishedEntry(result))
      }
    }
    const { data, info, input, kept, notes, work: done } = result
    const made = { ...(done && { work: done }), ...(result.placeholder && { placeholder: result.placeholder }) }
    return { data, info, input, key, cached: false, kept, ...remarksOf(result), notes, ...made }
  }

  async function answer(
    plan: Plan,
    engine: ImageEngine,
    wanted?: PlaceholderKind,
    pinned?: string,
  ): Promise<OptimizeResult> {
    const key = cacheKey(plan, engine)
    const found = await remembered(plan, engine, key, pinned)
    if (found !== undefined) return found
    if (cache?.frozen === true) throw missing.note(plan, 'image')
    return work(plan, engine, key, wanted)
  }

  async function remembered(
    plan: Plan,
    engine: ImageEngine,
    key: string,
    pinned: string | undefined,
  ): Promise<OptimizeResult | undefined> {
    const earlier = pinned === undefined ? undefined : await fromCache(plan, engine, pinned)
    const hit = earlier ? { ...earlier, pinned: pinned! } : await fromCache(plan, engine, key)
    if (hit !== undefined) stats.cacheHits++
    return hit
  }

  const keepPlaceholder = (plan: Plan, made: Placeholder): Promise<void> | undefined =>
    cache?.set(placeholderKey(plan, made.kind), { meta: { placeholder: made }, data: new Uint8Array() })

  async function keptPlaceholder(plan: Plan, kind: PlaceholderKind): Promise<Placeholder | undefined> {
    const entry = await cache?.get(placeholderKey(plan, kind))
    return entry?.meta.placeholder as Placeholder | undefined
  }

  async function placeholder(plan: Plan, kind: PlaceholderKind): Promise<Placeholder> {
    oneOf(PLACEHOLDER_KINDS).parse(kind, 'placeholder')
    return placeholders.run(placeholderKey(plan, kind), async () => {
      const kept = await keptPlaceholder(plan, kind)
      if (kept !== undefined) return kept
      if (cache?.frozen === true) throw missing.note(plan, `placeholder ${kind}`)
      const { source, type, operations, file } = plan
      try {
        const made = await local.placeholder({ source, type, operations, limits, file, placeholder: kind })
        await keepPlaceholder(plan, made)
        return made
      } catch (error) {
        throw codecFault(error) ?? namedError(error, file)
      }
    })
  }

  async function materialize(
    plan: Plan,
    { placeholder: kind, pinned }: MaterializeExtras = {},
  ): Promise<OptimizeResult> {
    if (kind !== undefined) oneOf(PLACEHOLDER_KINDS).parse(kind, 'placeholder')
    const kept = kind && (await keptPlaceholder(plan, kind))
    const wanted = kept === undefined ? kind : undefined
    let result: OptimizeResult
    try {
      const engine = engineOf(plan)
      result = await flights.run(pinned ?? plan.key, () => answer(plan, engine, wanted, pinned))
    } catch (error) {
      stats.failed++
      throw codecFault(error) ?? namedError(error, plan.file)
    }
    return withPlaceholder(plan, result, kind, kept)
  }

  async function withPlaceholder(
    plan: Plan,
    result: OptimizeResult,
    kind: PlaceholderKind | undefined,
    kept: Placeholder | undefined,
  ): Promise<OptimizeResult> {
    if (kind === undefined) return result
    // The work may have been done before, without one, by a service, or for another caller.
    const made = result.placeholder?.kind === kind ? result.placeholder : undefined
    const shown = kept ?? made ?? (await placeholder(plan, kind).catch(() => undefined))
    return { ...result, ...(shown && { placeholder: shown }) }
  }

  async function recall(
    plan: Plan,
    { placeholder: kind, pinned }: MaterializeExtras = {},
  ): Promise<OptimizeResult | undefined> {
    const engine = engineOf(plan)
    const hit = await remembered(plan, engine, cacheKey(plan, engine), pinned)
    return hit && withPlaceholder(plan, hit, kind, kind && (await keptPlaceholder(plan, kind)))
  }

  const plan: Optimizer['plan'] = (source, operations, context) =>
    makePlan(source, operations, limits, context?.file, chosen)

  return {
    plan,
    materialize,
    recall,
    placeholder,
    ...createMeasurements({ local, cache, limits, missing }),
    stats,
    assertComplete: () => missing.refuse(),
    optimize: async (source, operations, context) =>
      materialize(plan(await readSource(source, limits, context?.file), operations, context)),
    async probe(given, context) {
      const source = await readSource(given, limits, context?.file)
      const { type } = makePlan(source, undefined, limits, context?.file)
      const { probeImage } = await import('../work/steps/probe.ts')
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

/** Returns a placeholder's identity: pixels, kind, and what decides its bytes. */
function placeholderKey({ source, operations }: Plan, kind: PlaceholderKind): string {
  return identity(source, operations, { ...engineVersions(), placeholder: kind, placeholders: PLACEHOLDER_REVISION })
}

let shared: Optimizer | undefined

/** Optimizes one image: no cache, default limits. @throws PixpressError */
export function optimize(input: ImageSource, operations?: Operations): Promise<OptimizeResult> {
  shared ??= createOptimizer()
  return shared.optimize(input, operations)
}

function openCache(
  cache: ReturnType<typeof resolveOptions>['cache'],
  onWarning: (message: string) => void,
): CacheStore | undefined {
  if (cache === false) return undefined
  return 'get' in cache ? cache : openProjectCache({ ...cache, onWarning })
}
