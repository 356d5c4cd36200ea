import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ImageType, InputType, Operations } from '@pixpress/core'
import { diskFiles } from '../../base/files.ts'
import type { ImageUse } from '../../references/types.ts'
import type { Encoder } from '../encode/encoder.ts'
import type { SettledBytes } from '../encode/settled-bytes.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { ImageOptions } from '../plan/image-operations.ts'
import type { FinishedImage, PlannedImage, Warn } from '../plan/images.ts'
import type { Planner, Recipe } from '../plan/planner.ts'
import { measureImagetools } from '../report/baselines.ts'
import type { Baselines } from '../report/baselines.ts'
import type { ReportLog } from '../report/report-log.ts'
import { createAlternatives } from './alternatives.ts'
import type { AlternativeMakers, Alternatives } from './alternatives.ts'

/** The parts of a session that offer images in several types. */
export interface OfferParts {
  readonly options: ResolvedOptions
  readonly asked: ImageOptions
  readonly planner: Planner
  readonly encoder: Encoder
  /** Gets the bytes of every image that is made here: a bundler may show them as files that it knows nothing of. */
  readonly settled: Pick<SettledBytes, 'add'>
  readonly baselines: Baselines
  readonly log: ReportLog
}

/** Makes images as they go into the build, and their alternatives. */
export interface Offers {
  readonly alternatives: Alternatives
  /** Makes an image of the build, and notes it for its alternatives. `Session` documents it. */
  finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
}

/** Reasons why an image is in its own type, by its place, unless something better is known. */
const KEPT: Readonly<Record<ImageUse, string>> = {
  content:
    'It stands where no fallback is possible, and not every browser of the project is known to read another type.',
  beside: 'No page or stylesheet of the output shows it in a place that can offer another type.',
  picture: 'An SVG is a drawing.',
  icon: 'Readers of icons and social cards other than browsers know only the old types.',
  typed: 'What names it, or what has emitted it, decides about its type.',
  public:
    'It is a copy under its own name, and nothing of the output shows it where another type can stand beside it; an <img> with `srcset` in a component stays as it is.',
}

/** The reason why no other type is offered beside an image whose content credentials are kept. */
const SIGNED = 'Its content credentials hold for its own bytes alone.'

/**
 * Share of the bytes of the next type below which a type is offered before it. Half of all browsing reads JPEG XL, for
 * which the output has one file more.
 */
const SHARE_TO_OFFER: Readonly<Partial<Record<ImageType, number>>> = { 'image/jxl': 0.97 }

/** Makes the last step before a bundler's delivery. */
export function createOffers(parts: OfferParts): Offers {
  const { options, planner, encoder, settled, baselines } = parts
  async function finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage> {
    const image = await encoder.encode(planned, warn)
    settled.add(image.data)
    const recipe = planner.recipes.get(planned.id)
    if (recipe !== undefined) noteType(parts, alternatives, image, recipe)
    if (options.compat && recipe?.extra !== undefined) await measureImagetools(planned, baselines)
    return image
  }
  const alternatives = createAlternatives(
    { isWanted: options.fallback !== false, folder: path.join(options.workDir, 'own'), root: options.root },
    createMakers(parts, finish),
  )
  return { alternatives, finish }
}

function createMakers(
  { asked, planner, encoder, settled, log }: OfferParts,
  finish: Offers['finish'],
): AlternativeMakers {
  const { planBytes } = planner
  return {
    async alone({ file, extra }, warn) {
      const source = await sourceOf(file)
      if (source === undefined) return undefined
      if (extra === undefined) return finish(planBytes(file, source, 'content'), warn)
      // Directives hold the conversion of the options, which is none for a place that can offer alternatives.
      const { convert } = asked.usual(file)
      return finish(planBytes(file, source, 'content', { ...extra, ...(convert && { convert }) }), warn)
    },
    async own({ file, use, extra }, warn) {
      const source = await sourceOf(file)
      if (source === undefined) return undefined
      // The type that a component chose is the image's own.
      const planned = planBytes(file, source, use, use === 'typed' ? extra : extra && withoutConvert(extra))
      const own = await finish(planned, warn)
      return planned.plan === undefined ? undefined : own
    },
    async others({ file, extra }, own, warn) {
      const { plan, source, reason } = own.planned
      if (reason !== undefined) return { own, others: [], reason }
      // Whoever wants credentials to be delivered wants no type beside theirs that has none.
      if (own.result?.reason === 'credentials') return { own, others: [], reason: SIGNED }
      const operations = extra === undefined ? asked.of(file, plan!.type, 'beside').operations : withoutConvert(extra)
      const others: FinishedImage[] = []
      let smallest = own.data.length
      // From the last to the first, as each has to be smaller than all that come after it.
      for (const type of asked.alternatives(file).toReversed()) {
        if (type === own.type) continue
        const most = smallest * (SHARE_TO_OFFER[type] ?? 1)
        const other = planBytes(file, source, 'beside', { ...operations, convert: { type: [type] } })
        const made = await encoder.encode(other, warn, ({ info }) => info.type === type && info.size < most)
        if (made.type !== type || made.data.length >= most) continue
        smallest = made.data.length
        settled.add(made.data)
        others.unshift(made)
        log.alternatives(made.planned.id, 'offered')
      }
      return { own, others, ...(others.length === 0 && { reason: 'No other type is smaller.' }) }
    },
  }
}

/** Reads a source. One that is gone since an earlier run is no error of this one. */
const sourceOf = (file: string): Promise<Buffer | undefined> => diskFiles.readFile(file).catch(() => undefined)

/** Tells the report what is to be expected of an image's type, and notes an image that pages may offer in others. */
function noteType(parts: OfferParts, alternatives: Alternatives, image: FinishedImage, recipe: Recipe): void {
  const { id, plan, isInside } = image.planned
  if (!alternatives.isWanted || isInside) return
  if (plan === undefined || plan.type === 'image/svg+xml') return
  const { file, use, extra, isTyped } = recipe
  const isContent = use === 'content' || use === 'beside'
  // A format that directives ask for is the one to have; otherwise the options decide about the type.
  const isLeftOpen = extra?.convert === undefined || isDeepStrictEqual(extra.convert, parts.asked.usual(file).convert)
  if (!isContent || (isLeftOpen && isTyped !== true)) expectType(parts, image, plan.type, use)
  if (image.type !== plan.type) return
  // Pages and stylesheets that name a copy offer others beside it; nobody knows whether there are such.
  if (use === 'public') alternatives.add({ id, file, use }, image.data)
  else if (isContent && isLeftOpen) alternatives.add({ id, file, use: 'beside', ...(extra && { extra }) }, image.data)
}

/** Tells what is to be expected of the type of an image that the options decide about. */
function expectType({ options, log }: OfferParts, image: FinishedImage, own: InputType, use: ImageUse): void {
  const { standing, unknownBrowsers } = options
  const { id } = image.planned
  if (use === 'content' && standing !== undefined) log.once(standing, () => log.hint(standing))
  if (image.type !== own) return log.expect(id, 'alone')
  log.expect(id, 'kept', KEPT[use])
  if (use === 'content' && unknownBrowsers !== undefined)
    log.once(unknownBrowsers, () => log.warning(`${unknownBrowsers} Images of scripts keep their own type.`))
}

/** Leaves the operations that directives ask for beside a type. */
function withoutConvert(extra: Operations): Operations {
  const { convert: _, ...directives } = extra
  return directives
}
