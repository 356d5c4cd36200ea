import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Operations, OptimizeResult } from '@pixpress/core'
import type { ImageUse } from '../references/types.ts'
import { createBesides } from './besides.ts'
import type { Besides, Offer, Recipe } from './besides.ts'
import { diskFiles } from './files.ts'
import type { createOperations } from './image-operations.ts'
import type { FinishedImage, PlannedImage, Warn } from './images.ts'
import type { ResolvedOptions } from './options.ts'
import type { ReportLog } from './report-log.ts'

/** What a session knows and does of single images. */
interface SessionParts {
  readonly options: ResolvedOptions
  readonly log: ReportLog
  readonly asked: ReturnType<typeof createOperations>
  planBytes(file: string, source: Uint8Array, use: ImageUse, extra?: Operations): PlannedImage
  finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /** @param isUsed whether a result is part of the build; the report is told of those alone */
  encode(planned: PlannedImage, warn: Warn, isUsed: (result: OptimizeResult) => boolean): Promise<FinishedImage>
}

/** Why an image is in its own type, by where it stands, unless something better is known. */
const KEPT: Readonly<Record<ImageUse, string>> = {
  content:
    'It stands where no fallback is possible, and not every browser of the project is known to read another type.',
  beside: 'No page or stylesheet of the output shows it in a place that can offer another type.',
  icon: 'Readers of icons and social cards other than browsers know only the old types.',
  typed: 'Its type is declared where it stands.',
  public: 'It is copied as it is.',
}

/** What images of a session can be offered in other types, and what becomes of their types. */
export interface Offers {
  readonly besides: Besides
  /** Notes an image that goes into the output. @param recipe what it was planned with */
  note(image: FinishedImage, recipe: { file: string; use: ImageUse; extra: Operations | undefined } | undefined): void
}

export function createOffers({ options, log, asked, planBytes, finish, encode }: SessionParts): Offers {
  const folder = path.join(options.workDir, 'own')
  const besides = createBesides(options.fallback !== false, folder, options.root, { own: makeOwn, offer, alone })

  /** Whether the type was left to the options: a format that directives ask for is the one to have. */
  function isLeftOpen(file: string, extra: Operations | undefined): boolean {
    return extra?.convert === undefined || isDeepStrictEqual(extra.convert, asked.usual(file).convert)
  }

  async function alone({ file, extra }: Recipe, warn: Warn): Promise<FinishedImage | undefined> {
    const source = await diskFiles.readFile(file).catch(() => undefined)
    if (source === undefined) return undefined
    if (extra === undefined) return finish(planBytes(file, source, 'content'), warn)
    // Directives hold the conversion of the options, which for a place with others beside it is none.
    const { convert } = asked.usual(file)
    return finish(planBytes(file, source, 'content', { ...extra, ...(convert && { convert }) }), warn)
  }

  async function makeOwn({ file, use, extra }: Recipe, warn: Warn): Promise<FinishedImage | undefined> {
    // A source that is gone since an earlier run is no error of this one.
    const source = await diskFiles.readFile(file).catch(() => undefined)
    if (source === undefined) return undefined
    // The type that a component chose is the image's own.
    const planned = planBytes(file, source, use, use === 'typed' ? extra : extra && directivesIn(extra))
    const own = await finish(planned, warn)
    return planned.plan === undefined ? undefined : own
  }

  async function offer({ file, extra }: Recipe, own: FinishedImage, warn: Warn): Promise<Offer> {
    const { plan, source, reason } = own.planned
    if (reason !== undefined) return { own, others: [], reason }
    const operations = extra === undefined ? asked.of(file, plan!.type, 'beside').operations : directivesIn(extra)
    const others: FinishedImage[] = []
    let smallest = own.data.length
    // From the last to the first, as each has to be smaller than all that come after it.
    for (const type of asked.besides(file).toReversed()) {
      if (type === own.type) continue
      const other = planBytes(file, source, 'beside', { ...operations, convert: { type: [type] } })
      const made = await encode(other, warn, ({ info }) => info.type === type && info.size < smallest)
      if (made.type !== type || made.data.length >= smallest) continue
      smallest = made.data.length
      others.unshift(made)
      log.conversion(made.planned.id, 'offered')
    }
    return { own, others, ...(others.length === 0 && { reason: 'No other type is smaller.' }) }
  }

  return {
    besides,
    note(image, recipe) {
      const { id, plan } = image.planned
      if (!besides.isWanted || recipe === undefined || recipe.use === 'public') return
      if (plan === undefined || plan.type === 'image/svg+xml') return
      const { standing } = options
      if (recipe.use === 'content' && standing !== undefined) log.once(standing, () => log.hint(standing))
      if (image.type !== plan.type) return log.conversion(id, 'alone')
      log.conversion(id, 'kept', KEPT[recipe.use])
      const { unknownBrowsers } = options
      if (recipe.use === 'content' && unknownBrowsers !== undefined)
        log.once(unknownBrowsers, () => log.warning(`${unknownBrowsers} Images of scripts keep their own type.`))
      const { file, use, extra } = recipe
      if ((use !== 'content' && use !== 'beside') || !isLeftOpen(file, extra)) return
      besides.add({ id, file, use: 'beside', ...(extra && { extra }) }, image.data)
    },
  }
}

/** What directives ask for beside a type. */
function directivesIn(extra: Operations): Operations {
  const { convert: _, ...directives } = extra
  return directives
}
