import type { ReportFailure, ReportImage } from '../../src/report/json.ts'
import { createReport } from '../../src/report/json.ts'
import type { Report } from '../../src/report/json.ts'

/** An image of a report: only what a test is about has to be given. */
export function image(source: string, before: number, after: number, rest: Partial<ReportImage> = {}): ReportImage {
  return {
    source,
    type: 'image/avif',
    inputType: 'image/jpeg',
    before,
    after,
    ratio: Math.round((after / before) * 10_000) / 10_000,
    width: 800,
    height: 600,
    cached: false,
    kept: 'output',
    score: 80.12,
    notes: [],
    ...rest,
  }
}

export function reportOf(images: ReportImage[], failures: ReportFailure[] = [], milliseconds = 3210): Report {
  return createReport(new Map(images.map((entry, index) => [String(index), entry])), failures, milliseconds)
}
