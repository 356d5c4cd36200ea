import path from 'node:path'
import type { ImageUse } from '../../references/types.ts'
import type { ResolvedOptions } from '../options/options.ts'
import { convertsAny } from '../plan/image-operations.ts'
import type { FinishedImage } from '../plan/images.ts'
import type { Recipe } from '../plan/planner.ts'
import { missedByGlobs } from './precached-globs.ts'
import type { ReportLog } from './report-log.ts'

/** Why an image keeps its type although the options convert, by its place. */
const KEPT: Readonly<Partial<Record<ImageUse, string>>> = {
  icon: 'Readers of icons and social cards other than browsers know only the old formats.',
  typed: 'What names it, or what has emitted it, decides about its format.',
  public: 'It is a copy under its own name.',
}

/** Tells the report why a place keeps an image's type, and the person who builds which types there are. */
export function noteType(options: ResolvedOptions, log: ReportLog, image: FinishedImage, { use, extra }: Recipe): void {
  const { isAuto, standing, unknownBrowsers } = options
  const { id, plan, kept, isInside } = image.planned
  if (plan === undefined || isInside === true || plan.type === 'image/svg+xml') return
  if (isAuto && standing !== undefined) log.once(standing, () => log.hint(standing))
  if (isAuto && unknownBrowsers !== undefined) log.once(unknownBrowsers, () => log.warning(unknownBrowsers))
  const converts = convertsAny(options)
  if (converts && image.type !== plan.type) {
    const extension = path.extname(image.name).slice(1)
    log.once(`precached ${extension}`, () => missedByGlobs(options.root, extension).forEach(log.hint))
  }
  const reason = kept ?? KEPT[use]
  if (converts && extra === undefined && reason !== undefined && image.type === plan.type) log.keptType(id, reason)
}
