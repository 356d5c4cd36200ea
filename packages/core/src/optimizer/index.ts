import { namedError } from '../base/errors.ts'
import { codecFault, withoutIt } from '../base/faults.ts'
import { engineVersions } from '../base/versions.ts'
import { readSource } from '../base/image-source.ts'
import type { ImageSource } from '../base/image-source.ts'
import type { ProbeResult } from '../base/types.ts'
import { FileCache } from '../cache/file-store.ts'
import { openCache as openProjectCache } from '../cache/layers/open-cache.ts'
import type { CacheStore } from '../cache/store.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import { requireCodecs } from '../engines/load-codecs.ts'
import { createLocalEngine } from '../engines/local/engine.ts'
import type { Operations } from '../operations/index.ts'
import type { Placeholder, PlaceholderKind } from '../placeholder/kinds.ts'
import { inspectSource, makePlan } from '../plan/plan.ts'
import type { Plan } from '../plan/plan.ts'
import { AlikeFailures } from './alike-failures.ts'
import { createMeasurements } from './measurements.ts'
import type { Measurements } from './measurements.ts'
import { createMissingResults } from './missing-results.ts'
import { resolveOptimizerOptions } from './options.ts'
import type { OptimizerOptions } from './options.ts'
import { assertKind, createPlaceholders } from './placeholders.ts'
import type { Placeholders } from './placeholders.ts'
import type { MaterializeExtras, OptimizeResult } from './result.ts'
import { createResults } from './results.ts'
import type { OptimizerStats } from './results.ts'

/** Optimizes images: the object that builds and servers keep. */
export interface Optimizer extends Measurements {
  /**
   * Runs the first phase, which is cheap, synchronous and deterministic. Returns the identity of the work.
   * @param source its bytes must not change afterwards: their digest is kept, for other plans of the same object
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
   * Fails if a frozen cache lacked any result since the last call, with all of them together, or if every image of a
   * format failed alike. It is called when a build ends, before `close`.
   * @throws PixpressError `NOT_CACHED` with a line for each result that is missing, or `MACHINE_UNFIT`
   */
  assertComplete(): void
  /** Ends threads and trims the cache to its size. The optimizer can be used again afterwards. */
  close(): Promise<void>
}

/**
 * Makes an optimizer. It is one closure, as its methods share the cache, the engines and what failed.
 * @throws PixpressError `INVALID_OPTION`, or `MACHINE_UNFIT` where an installed codec is missing or does not fit
 */
export function createOptimizer(options?: OptimizerOptions): Optimizer {
  const resolved = resolveOptimizerOptions(options)
  engineVersions()
  const { limits, rememberResults } = resolved
  const cache = openCache(resolved.cache, resolved.onWarning)
  const flights = createSingleFlight<OptimizeResult>()
  const local = createLocalEngine(resolved)
  const { engine: chosen = local } = resolved
  const stats: OptimizerStats = { encoded: 0, cacheHits: 0, failed: 0 }
  const missing = createMissingResults()
  const alike = new AlikeFailures()
  const tools = { local, cache, limits, missing }
  const placeholders = createPlaceholders(tools)
  const results = createResults({ ...tools, chosen, placeholders, rememberResults, stats })
  let trimmedAt = 0

  const plan: Optimizer['plan'] = (source, operations, context) =>
    makePlan(source, operations, { limits, file: context?.file, engine: chosen })

  async function materialize(
    planned: Plan,
    { placeholder: kind, pinned }: MaterializeExtras = {},
  ): Promise<OptimizeResult> {
    if (kind !== undefined) assertKind(kind)
    const kept = kind && (await placeholders.recall(planned, kind))
    const wanted = kept === undefined ? kind : undefined
    try {
      const result = await flights.run(pinned ?? planned.key, () => results.answer({ plan: planned, wanted, pinned }))
      const shown = await withPlaceholder({ plan: planned, result, kind, kept }, placeholders)
      alike.sound(planned)
      return shown
    } catch (error) {
      stats.failed++
      const failure = codecFault(error) ?? namedError(error, planned.file)
      alike.failed(planned, failure)
      throw failure
    }
  }

  return {
    plan,
    materialize,
    async recall(planned, { placeholder: kind, pinned } = {}) {
      const result = await results.recall({ plan: planned, pinned })
      if (result === undefined) return undefined
      const kept = kind && (await placeholders.recall(planned, kind))
      return withPlaceholder({ plan: planned, result, kind, kept }, placeholders)
    },
    placeholder: placeholders.make,
    ...createMeasurements(tools),
    stats,
    assertComplete() {
      missing.refuse()
      alike.refuse()
    },
    optimize: async (source, operations, context) =>
      materialize(plan(await readSource(source, limits, context?.file), operations, context)),
    async probe(given, context) {
      const { source, type } = inspectSource(await readSource(given, limits, context?.file), limits, context?.file)
      await requireCodecs()
      const { probeImage } = await import('../work/steps/probe.ts')
      return probeImage(source, type, limits, context?.file).catch((error: unknown) => {
        const failure = codecFault(error) ?? namedError(error, context?.file)
        alike.failed({ source, type }, failure)
        throw failure
      })
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

interface Shown {
  readonly plan: Plan
  readonly result: OptimizeResult
  /** The placeholder that is asked for. */
  readonly kind: PlaceholderKind | undefined
  /** The one that the cache had. */
  readonly kept: Placeholder | undefined
}

/** Adds the placeholder. The work may have been done before, without one, by a service, or for another caller. */
async function withPlaceholder(
  { plan, result, kind, kept }: Shown,
  placeholders: Placeholders,
): Promise<OptimizeResult> {
  if (kind === undefined) return result
  const made = result.placeholder?.kind === kind ? result.placeholder : undefined
  const shown = kept ?? made ?? (await placeholders.make(plan, kind).catch(withoutIt))
  return { ...result, ...(shown && { placeholder: shown }) }
}

let shared: Optimizer | undefined

/** Optimizes one image: no cache, default limits. @throws PixpressError */
export async function optimize(input: ImageSource, operations?: Operations): Promise<OptimizeResult> {
  shared ??= createOptimizer()
  return shared.optimize(input, operations)
}

function openCache(
  cache: ReturnType<typeof resolveOptimizerOptions>['cache'],
  onWarning: (message: string) => void,
): CacheStore | undefined {
  if (cache === false) return undefined
  return 'get' in cache ? cache : openProjectCache({ ...cache, onWarning })
}
