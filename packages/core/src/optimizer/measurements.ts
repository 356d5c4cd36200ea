import { BASELINE_REVISION, measureBaseline } from './baseline.ts'
import type { Baseline, MadeElsewhere } from './baseline.ts'
import { CURVE_REVISION } from '../work/steps/byte-curve.ts'
import type { ByteCurve } from '../work/steps/byte-curve.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import { namedError } from '../base/errors.ts'
import { codecFault } from '../base/faults.ts'
import { resolveOperations } from '../operations/index.ts'
import { identity } from '../plan/plan.ts'
import type { OptimizerTools } from './tools.ts'
import { engineVersions } from '../base/versions.ts'
import type { Plan } from '../plan/plan.ts'

/** Measurements that an optimizer makes of sources: each once, and kept in the cache. */
export interface Measurements {
  /**
   * Estimates from a few quick encodes how many bytes the planned image's source takes at which width; its operations
   * decide nothing. The curve comes from the cache, or is measured on this machine.
   * @throws PixpressError `DECODE_FAILED`, `INPUT_TOO_LARGE`, `TIMEOUT`, …
   */
  byteCurve(plan: Plan): Promise<ByteCurve>
  /**
   * Returns another tool's result for the planned image's source, judged by the promise of this engine; its operations
   * decide nothing. It comes from the cache, or is made and judged on this machine.
   * @param request tells this request and the tool's version from all others of the source
   * @throws PixpressError `DECODE_FAILED`, `TIMEOUT`, …; whatever the tool throws
   */
  baseline(plan: Plan, request: string, make: () => Promise<MadeElsewhere>): Promise<Baseline>
}

/** Creates the measurements of an optimizer. */
export function createMeasurements({ local, cache, limits, missing }: OptimizerTools): Measurements {
  const curves = createSingleFlight<ByteCurve>()
  const baselines = createSingleFlight<Baseline>()
  // The operations on the source play no part.
  const operations = resolveOperations(undefined)
  return {
    async byteCurve({ source, type, file, ...plan }) {
      const key = identity(source, operations, { ...engineVersions(), curves: CURVE_REVISION })
      return curves.run(key, async () => {
        const entry = await cache?.get(key)
        if (entry !== undefined) return entry.meta.curve as ByteCurve
        if (cache?.frozen === true)
          throw missing.note({ ...plan, source, type, file, operations, types: [type] }, 'widths for w=auto')
        try {
          const curve = await local.curve({ source, type, operations, limits, file })
          await cache?.set(key, { meta: { curve }, data: new Uint8Array() })
          return curve
        } catch (error) {
          throw codecFault(error) ?? namedError(error, file)
        }
      })
    },
    async baseline(plan, request, make) {
      const key = identity(plan.source, operations, { ...engineVersions(), baselines: BASELINE_REVISION, request })
      return baselines.run(key, async () => {
        const entry = await cache?.get(key)
        if (entry !== undefined) return entry.meta.baseline as Baseline
        const { file } = plan
        const baseline = await measureBaseline(plan, await make(), (source, type, encoded) =>
          local.judgement({ source, type, operations, limits, file, encoded }),
        )
        // A frozen cache takes nothing, and no build fails for want of a comparison.
        if (cache?.frozen !== true) await cache?.set(key, { meta: { baseline }, data: new Uint8Array() })
        return baseline
      })
    },
  }
}
