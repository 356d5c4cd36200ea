import type { OptimizeResult, PixpressError } from '@pixpress/core'
import type { ResolvedOptions } from '../options.ts'
import type { PlannedImage } from '../session.ts'

/** What a build did, collected while it runs. */
export interface ReportLog {
  /** One image that is part of the build; repeats of one identity count once. */
  image(planned: PlannedImage, result: OptimizeResult): void
  /** One image that was kept as it was because it is broken. */
  failure(planned: PlannedImage, error: PixpressError): void
  /** Something about the work as a whole. */
  warning(message: string): void
  /** Runs the action the first time this key is seen in a build: one warning per problem, however many references. */
  once(key: string, action: () => void): void
  /** Writes the report of what was collected since the last one, and starts anew. Does nothing when there was nothing. */
  finish(): Promise<void>
}

export function createReportLog(options: ResolvedOptions): ReportLog {
  const images = new Map<string, { planned: PlannedImage; result: OptimizeResult }>()
  const seen = new Set<string>()
  return {
    image: (planned, result) => void images.set(planned.id, { planned, result }),
    failure: () => undefined,
    warning: (message) => console.warn(`pixpress: ${message}`),
    once(key, action) {
      if (seen.has(key)) return
      seen.add(key)
      action()
    },
    async finish() {
      if (options.report.terminal && images.size > 0) console.log(`pixpress: ${images.size} images`)
      images.clear()
      seen.clear()
    },
  }
}
