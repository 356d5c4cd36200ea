import type { Optimizer, ProbeResult } from '@pixpress/core'
import { AUTO, AUTO_TYPES } from '@pixpress/core/internal'
import { relativePath } from '../../base/paths.ts'
import { asksForAutoWidths } from '../../directives/auto-widths.ts'
import { defaultDirectivesFor } from '../../directives/default-directives.ts'
import type { ImageQuery } from '../../directives/query.ts'
import { resolveDirectives } from '../../directives/resolve.ts'
import type { DirectiveRequest } from '../../directives/resolve.ts'
import type { DirectiveSource } from '../../directives/rows.ts'
import type { ResolvedOptions } from '../options/options.ts'
import { auditOf } from './audit.ts'
import { byteCurveOf } from './byte-curve.ts'
import type { ImageOptions } from './image-operations.ts'

/** The parts of a session that plan images. */
export interface PlannerParts {
  readonly options: ResolvedOptions
  readonly optimizer: Optimizer
  readonly asked: ImageOptions
  warn(message: string): void
}

/** An image whose directives are to be read. */
export interface RequestSubject {
  readonly query: ImageQuery
  /** The header, and the points that a crop is to keep. */
  readonly source: ProbeResult & Partial<Pick<DirectiveSource, 'focus' | 'face'>>
  /** Absolute path. */
  readonly file: string
  /** Gives the bytes, for `w=auto`. */
  bytes(): Promise<Uint8Array>
}

/**
 * Makes the reader of directives: a query, the project's defaults and presets give the images that an import needs.
 * The reader throws PixpressError `INVALID_OPTION`.
 */
export function createRequestReader({
  options,
  optimizer,
  asked,
  warn,
}: PlannerParts): (subject: RequestSubject) => Promise<DirectiveRequest> {
  const audited = auditOf(options.root, warn)
  return async ({ query, source, file, bytes }) => {
    const { presets, compat, defaultDirectives, lqip } = options
    const outputs = Object.keys(options.outputs)
    const fallback = await defaultDirectivesFor(query, file, defaultDirectives, () => Promise.resolve(source))
    const shown = relativePath(options.root, file)
    const isAuto = asksForAutoWidths(query, presets, fallback)
    const drawn = isAuto ? (await audited()).get(shown) : undefined
    const curve = isAuto && drawn === undefined ? await byteCurveOf(optimizer, bytes, source, shown) : undefined
    const read = { presets, lqip, source, curve, drawn, compat, outputs, fallback, file: shown }
    const usual = asked.usual(file)
    const single = resolveDirectives(query, { ...read, defaults: usual })
    // A picture has a source for each type, so it needs no browser to read them all.
    if (single.output.as !== 'picture' || asked.convertOf(file) !== AUTO) return single
    return resolveDirectives(query, { ...read, defaults: { ...usual, convert: { type: AUTO_TYPES } } })
  }
}
