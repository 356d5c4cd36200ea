import { PixpressError } from '@pixpress/core'
import type { OptimizeResult } from '@pixpress/core'
import { promiseOf } from '@pixpress/core/internal'
import {
  compare,
  createReport,
  endLine,
  firstBuildHint,
  renderProfile,
  renderReport,
  reportImage,
  tableStyle,
  visibleText,
  wantsProfile,
  writeReport,
  writeReportPage,
} from '@pixpress/core/report'
import type {
  Progress,
  RemoteUsage,
  Report,
  ReportBaseline,
  ReportFailure,
  ReportImage,
  ReportUntouched,
  StoreUsage,
} from '@pixpress/core/report'
import { exceededBudgets } from './budgets.ts'
import { whyOfPlanned } from '../plan/images.ts'
import type { PlannedImage } from '../plan/images.ts'
import type { ResolvedOptions } from '../options/options.ts'
import { remarkLines, unsizedImages, withRemarks } from './remarks.ts'
import type { DeliveredCopy, Remarks } from './remarks.ts'
import { withoutRepeats } from './repeated-results.ts'
import { relativePath } from '../../base/paths.ts'
import type { FindWorth, Known } from './worth.ts'
import type { TextureReason } from '../../textures/textures.ts'

/** Describes what a build did, collected while it runs. */
export interface ReportLog {
  /** Work begins; the first time since the last report starts its clock. */
  begin(): void
  /** One image that is part of the build; repeats of one identity count once. */
  image(planned: PlannedImage, result: OptimizeResult): void
  /** Notes why an image keeps its type although the options convert, as a sentence. */
  keptType(id: string, reason: string): void
  /** Notes what a tool in whose place the image was made would have delivered. The smallest of several counts. */
  baseline(id: string, baseline: ReportBaseline): void
  /** Images are made in this tool's place. */
  replaced(tool: string): void
  /** Tells the copies that nothing of the output names; those of the last output count. */
  unnamed(copies: readonly DeliveredCopy[]): void
  /** Notes that an `<img>` in HTML shows the image without width and height; its absolute path. */
  unsized(file: string): void
  /** Tells the raster images of the output that nothing has worked on. */
  untouched(files: readonly ReportUntouched[]): void
  /** One image that was kept as it was because it is broken; repeats of one problem of one file count once. */
  failure(planned: PlannedImage, error: PixpressError): void
  /** Those since the last report, by identity. */
  images(): ReadonlyMap<string, ReportImage>
  /** Something about the work as a whole. */
  warning(message: string): void
  /** Gives what could be better, where nothing is wrong; with the report in the terminal alone. */
  hint(message: string): void
  /** Runs the action the first time this key is seen in a build: one warning per problem, however many references. */
  once(key: string, action: () => void): void
  /**
   * Writes the report of what was collected since the last one, and starts a new one. Does nothing when there was
   * nothing.
   * @param remote what was used of a service
   * @param store what was done in object storage
   * @param worth finds the step that would save most, for the last line. Default: none is named
   * @throws PixpressError `IO_FAILED` when a file cannot be written, `OVER_BUDGET` with `onError: 'error'`
   */
  end(remote?: RemoteUsage, store?: StoreUsage, worth?: FindWorth): Promise<void>
}

/** Only figures are held, not the images' bytes. */
interface Collection extends Omit<Remarks, 'unsized'> {
  /** Its keys are identities. */
  readonly images: Map<string, ReportImage>
  /** Every source that became the image, by identity. */
  readonly names: Map<string, Set<string>>
  /** Why images keep their type, by identity. */
  readonly keptTypes: Map<string, string>
  /** Its keys are identities. */
  readonly baselines: Map<string, ReportBaseline>
  /** Names of tools in whose place images were made. */
  readonly tools: Set<string>
  readonly textures: Map<string, TextureReason>
  readonly scaled: Set<string>
  /** Identities of images whose files are named elsewhere. */
  readonly named: Set<string>
  /** Sources, relative to the project's folder. */
  readonly unsized: Set<string>
  unnamed: readonly DeliveredCopy[]
  untouched: readonly ReportUntouched[]
  /** Its keys are file and problem. */
  readonly failures: Map<string, ReportFailure>
  /** Milliseconds of the process's clock. */
  began: number | undefined
}

/**
 * Makes the log of a session.
 * @param progress taken away before anything is printed
 * @param now milliseconds of a clock that never goes back
 */
export function createReportLog(
  options: ResolvedOptions,
  progress: Progress,
  now: () => number = () => performance.now(),
): ReportLog {
  const { root, report } = options
  const cacheFolder = options.persistent ? relativePath(root, options.cacheDir) : undefined
  /** The hint of the first build was given. */
  let hinted = false
  const seen = new Set<string>()
  let collection = emptyCollection()

  function begin(): void {
    collection.began ??= now()
  }

  function shown(data: Report, { tools, ...remarks }: Remarks & Pick<Collection, 'tools'>): string {
    const hint = hinted ? undefined : firstBuildHint(data.totals, cacheFolder)
    hinted ||= hint !== undefined
    const style = tableStyle(process.stdout, process.env)
    const table = renderReport(data, style, hint)
    const isUncompared = data.baseline === undefined && tools.size > 0
    const lines = [
      ...(table === '' ? [] : [table]),
      ...(isUncompared ? [comparedWithSources(tools)] : []),
      ...remarkLines(remarks),
    ]
    // Without images of its own, a build may have others' to name.
    if (table === '') lines[0] = `pixpress  ${lines[0]}`
    const end = endLine(data, style)
    return [...lines, ...(end === '' ? [] : [end])].join('\n')
  }

  return {
    begin,
    image(planned, result) {
      begin()
      const { id, file, texture, maxWidth, plan, isNamedElsewhere } = planned
      if (isNamedElsewhere === true) collection.named.add(id)
      const image = reportImage(relativePath(root, file), result, plan && promiseOf(result, plan.operations))
      if (texture !== undefined) collection.textures.set(image.source, texture)
      if (maxWidth !== undefined && image.width < result.input.width) collection.scaled.add(image.source)
      const why = whyOfPlanned(planned, image.why)
      const known = why === undefined ? image : { ...image, why }
      const former = collection.images.get(id)
      collection.images.set(id, former === undefined ? known : merged(former, known))
      collection.names.set(id, (collection.names.get(id) ?? new Set()).add(image.source))
    },
    keptType: (id, reason) => void collection.keptTypes.set(id, reason),
    baseline(id, baseline) {
      const former = collection.baselines.get(id)
      if (former === undefined || baseline.size < former.size) collection.baselines.set(id, baseline)
    },
    replaced(tool) {
      collection.tools.add(tool)
    },
    unnamed(copies) {
      collection.unnamed = copies
    },
    unsized: (file) => void collection.unsized.add(relativePath(root, file)),
    untouched(files) {
      collection.untouched = files
    },
    failure({ file }, { code, message }) {
      begin()
      const source = relativePath(root, file)
      const key = JSON.stringify([source, code])
      if (!collection.failures.has(key)) collection.failures.set(key, { source, code, message })
    },
    images: () => collection.images,
    warning(message) {
      progress.clear()
      console.warn(`pixpress: ${visibleText(message)}`)
    },
    hint(message) {
      progress.clear()
      if (report.terminal) console.log(`pixpress: ${visibleText(message)}`)
    },
    once(key, action) {
      if (seen.has(key)) return
      seen.add(key)
      progress.clear()
      action()
    },
    async end(remote, store, worth) {
      progress.finish()
      seen.clear()
      const { failures, began = now(), textures, scaled, unnamed, untouched, tools } = collection
      const made = withDuplicates(
        withoutRepeats(withBaselines(withKeptTypes(collection), collection), collection.named),
        collection.names,
      )
      const unsized = unsizedImages(made.values(), collection.unsized)
      const images = withRemarks(made, { scaled, unnamed, unsized })
      collection = emptyCollection()
      if (images.size + failures.size + untouched.length === 0) return
      const figures = createReport(images, failures.values(), now() - began, { remote, store })
      const named = untouched.length === 0 ? figures : { ...figures, untouched }
      const known = await worth?.(images)
      const data = known === undefined ? named : withKnown(named, images, known)
      const exceeded = exceededBudgets(data.images, options.budgets)
      const fails = exceeded.length > 0 && options.onError === 'error'
      if (!fails) for (const sentence of exceeded) console.warn(`pixpress: ${visibleText(sentence)}`)
      if (report.terminal) console.log(shown(data, { textures, scaled, unnamed, untouched, unsized, tools }))
      if (wantsProfile(process.env)) console.log(renderProfile(data))
      if (report.json !== undefined) await writeReport(report.json, data)
      if (report.html !== undefined) await writeReportPage(report.html, data, root)
      if (fails) throw new PixpressError('OVER_BUDGET', exceeded.map(visibleText).join('\n'))
    },
  }
}

const emptyCollection = (): Collection => ({
  images: new Map(),
  names: new Map(),
  keptTypes: new Map(),
  baselines: new Map(),
  tools: new Set(),
  textures: new Map(),
  scaled: new Set(),
  named: new Set(),
  unsized: new Set(),
  unnamed: [],
  untouched: [],
  failures: new Map(),
  began: undefined,
})

function withKeptTypes({ images, keptTypes }: Collection): ReadonlyMap<string, ReportImage> {
  if (keptTypes.size === 0) return images
  return new Map(
    [...images].map(([id, image]) => {
      const reason = keptTypes.get(id)
      if (reason === undefined) return [id, image]
      return [id, { ...image, typeKept: reason, why: image.why ?? { because: 'own-type', rule: reason } }]
    }),
  )
}

function withBaselines(
  images: ReadonlyMap<string, ReportImage>,
  { baselines }: Collection,
): ReadonlyMap<string, ReportImage> {
  if (baselines.size === 0) return images
  return new Map(
    [...images].map(([id, image]) => {
      const baseline = baselines.get(id)
      return [id, baseline === undefined ? image : { ...image, baseline }]
    }),
  )
}

/** Gives what the figures do not say, where only the sources are known. */
function comparedWithSources(tools: ReadonlySet<string>): string {
  const names = [...tools].sort().join(' and ')
  return `  compared with the sources, not with what ${names} would have made of them: report: { baseline: true } measures that`
}

/** Gives what else there is, by image and for all together. */
function withKnown(report: Report, byId: ReadonlyMap<string, ReportImage>, { worth, others }: Known): Report {
  const wouldBe = new Map([...others].map(([id, other]) => [byId.get(id), other]))
  const images = report.images.map((image) => {
    const other = wouldBe.get(image)
    return other === undefined ? image : { ...image, wouldBe: other }
  })
  return { ...report, images, ...(worth !== undefined && { worth }) }
}

function withDuplicates(
  images: ReadonlyMap<string, ReportImage>,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReportImage> {
  return new Map(
    [...images].map(([id, image]) => {
      const duplicates = [...(names.get(id) ?? [])].filter((name) => name !== image.source).sort(compare)
      return [id, duplicates.length === 0 ? image : { ...image, duplicates }]
    }),
  )
}

/**
 * A repeat is answered from the cache although the build has encoded the image, and may name another file with the same
 * bytes: the report must not depend on which came first.
 */
function merged(a: ReportImage, b: ReportImage): ReportImage {
  const source = compare(a.source, b.source) <= 0 ? a.source : b.source
  const work = a.work ?? b.work
  return { ...a, source, cached: a.cached && b.cached, ...(work !== undefined && { work }) }
}
