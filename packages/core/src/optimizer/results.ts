import type { ImageEngine } from '../engines/contract.ts'
import type { PlaceholderKind } from '../placeholder/kinds.ts'
import { identity } from '../plan/plan.ts'
import type { Plan } from '../plan/plan.ts'
import { fromEntry, remarksOf, toEntry, toFinishedEntry } from './cached-result.ts'
import type { Placeholders } from './placeholders.ts'
import type { OptimizeResult } from './result.ts'
import type { OptimizerTools } from './tools.ts'

/** Counts since the optimizer was made. */
export interface OptimizerStats {
  /** Images that were worked on, that is not answered from the cache. */
  encoded: number
  /** Images answered from the cache. */
  cacheHits: number
  /** Images that failed. */
  failed: number
}

/** A plan with what is asked for besides its result. */
export interface Asked {
  readonly plan: Plan
  /** The placeholder that is made of the same pixels. */
  readonly wanted?: PlaceholderKind | undefined
  /** The key of an earlier engine's result, which is taken as it is. */
  readonly pinned?: string | undefined
}

/** The results of an optimizer: from the cache, or worked out by an engine. */
export interface Results {
  /** @throws PixpressError `NOT_CACHED` with a frozen cache, and whatever the engine throws */
  answer(asked: Asked): Promise<OptimizeResult>
  /** Returns the result if the cache has it. */
  recall(asked: Asked): Promise<OptimizeResult | undefined>
}

/** The parts of an optimizer that results use. */
export interface ResultTools extends OptimizerTools {
  /** The engine of the options; `local` where none was given. It may leave types to `local`. */
  readonly chosen: ImageEngine
  readonly placeholders: Placeholders
  /** Results that come back as inputs are known to be finished. */
  readonly rememberResults: boolean
  readonly stats: OptimizerStats
}

/** Creates the results of an optimizer. */
export function createResults(tools: ResultTools): Results {
  const { local, chosen, cache, missing } = tools
  const engineOf = ({ type }: Plan): ImageEngine => (chosen.accepts(type) ? chosen : local)

  async function answerBy(engine: ImageEngine, asked: Asked): Promise<OptimizeResult> {
    const key = cacheKey(asked.plan, engine, tools)
    const found = await remembered(asked, engine, tools)
    if (found !== undefined) return found
    if (cache?.frozen === true) throw missing.note(asked.plan, 'image')
    const made = await work(asked, engine, key, tools)
    if (made !== 'local') return made
    // Cached as a result of this machine, so that the other engine is asked again next time.
    const { source, operations } = asked.plan
    const plan = { ...asked.plan, key: identity(source, operations) }
    return { ...(await answerBy(local, { plan, wanted: asked.wanted })), key: asked.plan.key }
  }

  return {
    answer: (asked) => answerBy(engineOf(asked.plan), asked),
    recall: (asked) => remembered(asked, engineOf(asked.plan), tools),
  }
}

/** Returns the key under which an engine's result is cached: made of all that decides its bytes, and nothing else. */
function cacheKey({ key, source, operations }: Plan, engine: ImageEngine, { local }: ResultTools): string {
  return engine === local ? key : identity(source, engine.relevantOperations(operations), engine.identity)
}

async function remembered(
  { plan, pinned }: Asked,
  engine: ImageEngine,
  tools: ResultTools,
): Promise<OptimizeResult | undefined> {
  const earlier = pinned === undefined ? undefined : await fromCache(plan, engine, pinned, tools)
  const key = cacheKey(plan, engine, tools)
  const hit = earlier ? { ...earlier, pinned: pinned! } : await fromCache(plan, engine, key, tools)
  if (hit !== undefined) tools.stats.cacheHits++
  return hit
}

async function fromCache(
  plan: Plan,
  engine: ImageEngine,
  key: string,
  { cache }: ResultTools,
): Promise<OptimizeResult | undefined> {
  const entry = await cache?.get(key)
  if (entry === undefined) return undefined
  const { result, compressions } = fromEntry(entry, plan)
  engine.reused(key, compressions)
  return result
}

/** Has an engine do the work, and caches what lasts. `local`: the engine leaves it to this machine. */
async function work(
  { plan, wanted }: Asked,
  engine: ImageEngine,
  cachedAs: string,
  tools: ResultTools,
): Promise<OptimizeResult | 'local'> {
  const { source, type, operations, file, key } = plan
  const { limits, cache, placeholders, stats } = tools
  const extra = wanted && { placeholder: wanted }
  const outcome = await engine.run({ source, type, operations, limits, file, ...extra }, cachedAs)
  if (outcome === 'local') return outcome
  const { result, compressions, lasting } = outcome
  stats.encoded++
  if (result.placeholder !== undefined) await placeholders.keep(plan, result.placeholder)
  if (lasting) {
    await cache?.set(cachedAs, toEntry(result, source, compressions))
    if (tools.rememberResults && result.data !== source) {
      const next = tools.chosen.accepts(result.info.type) ? tools.chosen : tools.local
      const finished = identity(result.data, next.relevantOperations(operations), next.identity)
      // A source that stays as it came has its own entry already, which says why it stays.
      if (finished !== cachedAs) await cache?.set(finished, toFinishedEntry(result))
    }
  }
  const { data, info, input, kept, notes, work: done } = result
  const made = { ...(done && { work: done }), ...(result.placeholder && { placeholder: result.placeholder }) }
  return { data, info, input, key, cached: false, kept, ...remarksOf(result), notes, ...made }
}
