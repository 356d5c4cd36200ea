import type { MadeElsewhere, Optimizer } from '@pixpress/core'
import { sharpDefaults } from '@pixpress/core/internal'
import { relativePath } from '../../base/paths.ts'
import type { OriginalImage, PlannedImage } from '../plan/images.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { ReportLog } from './report-log.ts'

/** A tool in whose place an image is made. */
export interface ReplacedTool {
  /** Its name, for the report. */
  readonly tool: string
  /** The tool's version and what it was asked for: tells this request of a source from all others. */
  request(): string | Promise<string>
  /** Has the tool make the image. */
  make(): Promise<MadeElsewhere>
}

/**
 * Describes what would have been delivered without pixpress: measured where the options ask for it, as it takes the
 * tool's time once more.
 */
export interface Baselines {
  /** Tells whether the options have `report.baseline`. */
  readonly isWanted: boolean
  /** Tells that images are made in a tool's place, for a report without its figures. */
  replaces(tool: string): void
  /**
   * Makes an image as the tool would, from the cache where it was done before, and notes it for the report. Never
   * throws.
   */
  measure(planned: PlannedImage | OriginalImage, replaced: ReplacedTool): Promise<void>
}

/** Creates the baselines of a session. They are measured only if `report.baseline` is set. */
export function createBaselines(
  { report, root }: Pick<ResolvedOptions, 'report' | 'root'>,
  optimizer: Pick<Optimizer, 'baseline'>,
  log: Pick<ReportLog, 'baseline' | 'replaced' | 'warning'>,
): Baselines {
  return {
    isWanted: report.baseline,
    replaces: (tool) => log.replaced(tool),
    async measure({ id, file, plan }, { tool, request, make }) {
      if (!report.baseline || plan === undefined) return
      try {
        const { judgement, ...made } = await optimizer.baseline(plan, `${tool} ${await request()}`, make)
        const { score } = plan.operations
        const judged = judgement && {
          score: Math.round(judgement.score * 100) / 100,
          keepsPromise: judgement.kept >= score,
        }
        log.baseline(id, { tool, ...made, ...judged })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.warning(`${relativePath(root, file)} cannot be compared with what ${tool} makes of it: ${reason}`)
      }
    },
  }
}

/** Holds what the report calls the plugin for which directives of `compat` were written. */
const IMAGETOOLS = 'vite-imagetools'

/**
 * Measures what vite-imagetools would have written: it hands sharp a size and a type. An image that asks for more is
 * not compared, so that no hint may say that it could be.
 */
export async function measureImagetools(planned: PlannedImage, baselines: Baselines): Promise<void> {
  const make = planned.plan && sharpDefaults(planned.plan)
  if (make === undefined) return
  if (!baselines.isWanted) return baselines.replaces(IMAGETOOLS)
  const { resize, types } = planned.plan!.operations
  await baselines.measure(planned, { tool: IMAGETOOLS, request: () => JSON.stringify([resize, types]), make })
}
