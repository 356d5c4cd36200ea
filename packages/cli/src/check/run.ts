import path from 'node:path'
import type { ErrorCode } from '@pixpress/core'
import type { ResolvedBudget } from '@pixpress/core/internal'
import type { Report } from '@pixpress/core/report'
import { splitPatterns } from '../compress/exclusions.ts'
import { createSelection, findInputPlaces } from '../compress/inputs.ts'
import type { FoundFiles } from '../compress/inputs.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { isOfShard } from '../compress/shard.ts'
import { skippedLine } from '../compress/skipped-line.ts'
import type { Skipped } from '../compress/walk.ts'
import type { Workers } from '../compress/workers.ts'
import type { Surroundings } from '../base/output.ts'
import { baselineAt, readBaseline, selected } from './baseline.ts'
import type { BuiltImages } from './built-images.ts'
import { createBytesBefore, deliveredBaseline } from './delivered-before.ts'
import type { BytesBefore } from './delivered-before.ts'
import type { Baseline } from './baseline.ts'
import { addSizes } from './file-sizes.ts'
import { inOrder } from './findings.ts'
import type { Finding } from './findings.ts'
import type { CheckResult } from './result.ts'
import type { Changes } from '../git/repository.ts'
import { overGrowth, overTotal } from './groups.ts'
import { createImageTable, positionsOf } from './image-table.ts'
import type { ImageTable } from './image-table.ts'
import { overBudget, savesMore, shippedSentence, shrinking } from './images.ts'
import { createKnownWork } from './known-work.ts'
import type { KnownWork } from './known-work.ts'
import { outcomesOf, pictureOperations } from './outcomes.ts'
import { tellHiddenOptions } from './hidden-options.ts'
import { heavyPages } from './pages.ts'
import { shippedBesides } from './shipped-besides.ts'
import { standingsOf } from './standings.ts'

/** Images, and what they are held against. */
export interface CheckTask {
  readonly settings: CompressSettings
  readonly workers: Workers
  /** Images that builds ship. */
  readonly built: BuiltImages
  /** `undefined`: every image is looked at. */
  readonly changes: Changes | undefined
  /** File of a JSON report, as it was given. */
  readonly baseline: string | undefined
  readonly budgets: readonly ResolvedBudget[]
  /** Absolute folder of a finished build; `undefined`: its pages are not looked at. */
  readonly pages: string | undefined
  /** Percent. */
  readonly minSaving: number
  /** Names of the options that the configuration has. */
  readonly options: ReadonlySet<string>
  /** True if each image that has changed since a commit is shown with the bytes that builds shipped of it before. */
  readonly tellsBefore: boolean
  /** True if the whole project is checked, so that whatever its builds ship belongs to it. */
  readonly isWhole: boolean
  readonly tell: (message: string) => void
}

/** Failures that say the file itself is no good. Others may go away with another machine, or other options. */
const BROKEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INPUT_MISSING', 'DECODE_FAILED', 'UNSUPPORTED_TYPE'])

/**
 * Does what `compress` would do, without writing anything but the cache, and judges it.
 * @returns `undefined` when the person asked it to stop
 * @throws UsageError for files or a baseline that are not there
 */
export async function checkImages(
  patterns: readonly string[],
  around: Surroundings,
  given: CheckTask,
): Promise<CheckResult | undefined> {
  const { settings, budgets } = given
  const { root } = settings
  const { cwd } = around
  const skipped: Skipped[] = []
  const onSkipped = (each: Skipped): void => void skipped.push(each)
  const found = await findInputPlaces(patterns, { ...settings, cwd, onSkipped })
  const { task, besides } = await withBesides(found, patterns, cwd, given)
  const places = [...besides].map((file) => ({ folder: path.dirname(file), places: [path.basename(file)] }))
  const images = createImageTable([...found, ...places], root)
  const passed = images.length === 0 || settings.verbose ? skippedLine(skipped, cwd) : undefined
  if (passed !== undefined) task.tell(passed)
  const former = await baselineOf(patterns, cwd, task)
  const due = dueOf(images, cwd, task)
  const worked = await outcomesOf(images, { due, all: countedWith(due, images, task) }, around, task)
  if (worked === undefined) return undefined
  const { report, lockFindings, forecast } = worked
  tellHiddenOptions(forecast, task)
  await addSizes(images)
  const bytesBefore = createBytesBefore(images, task)
  // A report says itself what was delivered.
  const isOfCommit = task.baseline === undefined
  const isDue = isDueIn(images, due)
  const isAsked = (source: string): boolean =>
    budgets.some((budget) => isCompared(budget, task, isDue(source)) && budget.matches(source))
  const baseline = former && isOfCommit ? await deliveredBaseline(former, isAsked, bytesBefore) : former

  const known = createKnownWork(
    task.workers.optimizer,
    settings.remote === undefined ? task.workers.cache : undefined,
    (source) => path.resolve(root, source),
    pictureOperations(settings.operations),
  )
  const findings = await imageFindings(images, due, task, known)
  // One by one, as arguments of one call more than some 100,000 are refused.
  for (const finding of groupFindings(images, isDue, task, { baseline, besides })) findings.push(finding)
  for (const finding of await heavyPages(task, root)) findings.push(finding)
  for (const finding of lockFindings) findings.push(withShipped(finding, images))
  const { broken, isUnchecked } = sortedFailures(report, images)
  for (const finding of broken) findings.push(finding)
  return {
    findings: inOrder(findings),
    images,
    checked: images.at(isUnchecked.size === 0 ? due : due.filter((at) => !isUnchecked.has(at))),
    failures: report.failures.filter(({ code }) => !BROKEN.has(code)),
    budgets: standingsOf(budgets, images, { due, baseline, besides }),
    ...(task.tellsBefore && { before: await shippedBefore(images, due, task, bytesBefore) }),
  }
}

/** Tells broken files, which are findings, from those that could not be checked. */
function sortedFailures(
  { failures }: Pick<Report, 'failures'>,
  images: ImageTable,
): { readonly broken: readonly Finding[]; readonly isUnchecked: ReadonlySet<number | undefined> } {
  const broken: Finding[] = []
  const isUnchecked = new Set<number | undefined>()
  for (const { source, code, message } of failures) {
    const at = images.positionOf(source)
    if (BROKEN.has(code))
      broken.push({ rule: 'broken', source, message, bytes: at === undefined ? 0 : images.get(at).bytes })
    else isUnchecked.add(at)
  }
  return { broken, isUnchecked }
}

/** Finds what is wrong with single images: they could be smaller, or are larger than a budget allows. */
async function imageFindings(
  images: ImageTable,
  due: Uint32Array,
  { budgets, minSaving }: CheckTask,
  known: KnownWork,
): Promise<Finding[]> {
  const findings: (Finding | undefined)[] = []
  for (const at of due) {
    // Most have nothing to be told of, and need not be made for that.
    if (savesMore(images.bytesOf(at), images.possibleOf(at), minSaving)) {
      findings.push(shrinking(images.get(at), minSaving))
    }
    for (const budget of budgets) {
      if (budget.image === undefined || !budget.matches(images.sourceOf(at))) continue
      findings.push(await overBudget(images.get(at), budget, known))
    }
  }
  return findings.filter((each) => each !== undefined)
}

/**
 * Finds groups of images that are larger together, or have grown more, than a budget allows.
 * @param besides absolute paths of images that lie elsewhere
 */
function groupFindings(
  images: ImageTable,
  isDue: (source: string) => boolean,
  { budgets }: CheckTask,
  { baseline, besides }: { readonly baseline: Baseline | undefined; readonly besides: ReadonlySet<string> },
): Finding[] {
  const findings: (Finding | undefined)[] = []
  for (const budget of budgets) {
    if (budget.total === undefined && budget.growth === undefined) continue
    const own = positionsOf(images, budget.matches)
    // A change is not to blame for a group that was too large before and that it does not touch.
    if (!own.some((at) => isDue(images.sourceOf(at)))) continue
    findings.push(overTotal(images.at(own), budget, isDue))
    // No commit knows the earlier size of images that lie elsewhere.
    const grown = own.filter((at) => besides.size === 0 || !besides.has(images.fileOf(at)))
    if (baseline !== undefined) findings.push(overGrowth(images.at(grown), budget, baseline))
  }
  return findings.filter((each) => each !== undefined)
}

/** Tells by `source` whether an image is looked at. */
function isDueIn(images: ImageTable, due: Uint32Array): (source: string) => boolean {
  const chosen = new Uint8Array(images.length)
  for (const at of due) chosen[at] = 1
  return (source) => chosen[images.positionOf(source) ?? -1] === 1
}

/** Tells whether the earlier bytes of an image count in a budget. Only data has those of limits other than `growth`. */
function isCompared({ growth, total }: ResolvedBudget, { tellsBefore }: CheckTask, isDue: boolean): boolean {
  return growth !== undefined || (tellsBefore && (total !== undefined || isDue))
}

/** Returns the bytes that builds shipped before of the images that have changed since a commit. */
async function shippedBefore(
  images: ImageTable,
  due: Uint32Array,
  { changes, built }: CheckTask,
  bytesBefore: BytesBefore,
): Promise<ReadonlyMap<string, number>> {
  const before = new Map<string, number>()
  if (changes === undefined) return before
  const sizes = await changes.sizesBefore()
  for (const at of due) {
    const [source, file] = [images.sourceOf(at), images.fileOf(at)]
    const size = sizes.get(file)
    if (size !== undefined && built.isBuilt(file)) before.set(source, await bytesBefore(source, size))
  }
  return before
}

/** Adds what builds ship from elsewhere. The lock is read once for all that need it. */
async function withBesides(
  found: readonly FoundFiles[],
  patterns: readonly string[],
  cwd: string,
  task: CheckTask,
): Promise<{ task: CheckTask; besides: ReadonlySet<string> }> {
  const { built, settings, workers, isWhole } = task
  const lock = await workers.openLock()
  const without = [...splitPatterns(patterns, cwd).left, ...settings.without]
  const files = lock === undefined || !isWhole ? [] : shippedBesides(lock, found, { built, cwd, without })
  const besides = new Set(files)
  const isBuilt: BuiltImages['isBuilt'] = (file) => besides.has(file) || built.isBuilt(file)
  return {
    task: { ...task, workers: { ...workers, openLock: async () => lock }, built: { ...built, isBuilt } },
    besides,
  }
}

/** Positions of the images that are looked at. */
function dueOf(images: ImageTable, cwd: string, { settings: { shard }, changes }: CheckTask): Uint32Array {
  const all = Uint32Array.from({ length: images.length }, (_, at) => at)
  if (shard === undefined && changes === undefined) return all
  return all.filter((at) => {
    const file = images.fileOf(at)
    return (shard === undefined || isOfShard(file, shard, cwd)) && (changes === undefined || changes.files.has(file))
  })
}

/**
 * Adds unchanged images that a build ships and that count in a budget: what is delivered of them cannot be seen from
 * their files.
 */
function countedWith(due: Uint32Array, images: ImageTable, { budgets, built }: CheckTask): Uint32Array {
  const chosen = new Set(due)
  if (chosen.size === images.length) return due
  for (const { total, growth, matches } of budgets) {
    if (total === undefined && growth === undefined) continue
    if (!due.some((at) => matches(images.sourceOf(at)))) continue
    for (const at of positionsOf(images, matches)) if (built.isBuilt(images.fileOf(at))) chosen.add(at)
  }
  return Uint32Array.from(chosen).sort()
}

/** Adds to a finding about an image that is missing in the lock what a build would make of it. */
function withShipped(finding: Finding, images: ImageTable): Finding {
  const at = finding.rule === 'not-locked' ? images.positionOf(finding.source) : undefined
  const shipped = at === undefined ? undefined : shippedSentence(images.get(at))
  return shipped === undefined ? finding : { ...finding, message: `${finding.message} ${shipped}` }
}

async function baselineOf(
  patterns: readonly string[],
  cwd: string,
  { baseline, changes, budgets, built, settings, tellsBefore, tell }: CheckTask,
): Promise<Baseline | undefined> {
  const { root } = settings
  const isWanted = budgets.some(({ growth }) => growth !== undefined)
  const whole =
    baseline !== undefined
      ? await readBaseline(path.resolve(cwd, baseline), baseline, (source) => built.isBuilt(path.resolve(root, source)))
      : (isWanted || (tellsBefore && budgets.length > 0)) && changes !== undefined
        ? await baselineAt(changes, root)
        : undefined
  if (isWanted && whole === undefined) tell("'growth' of budgets needs --baseline or --changed, and is not checked.")
  return whole && selected(whole, root, createSelection(patterns, { ...settings, cwd }))
}
