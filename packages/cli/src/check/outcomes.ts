import { sha256 } from '@pixpress/core/internal'
import { createProgress, whyOfResult } from '@pixpress/core/report'
import type { Report, Why } from '@pixpress/core/report'
import { compressAll } from '../compress/batch.ts'
import type { FileOutcome, FileTask } from '../compress/compress-file.ts'
import { earlierKey } from '../compress/earlier-results.ts'
import type { FileOperations, OperationsOf } from '../compress/file-operations.ts'
import type { InputFile } from '../compress/inputs.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { createTargets } from '../compress/targets.ts'
import type { TargetOf } from '../compress/targets.ts'
import { aborted } from '../compress/workers.ts'
import type { Workers } from '../compress/workers.ts'
import type { Surroundings } from '../base/output.ts'
import type { BuiltImages } from './built-images.ts'
import type { Finding } from './findings.ts'
import type { ImageTable } from './image-table.ts'
import type { Outcome } from './images.ts'
import { firstOf, openBuildRecords } from './build-records.ts'
import { createDeliveredLookup } from './delivered-lines.ts'
import { createLockCheck } from './locked.ts'
import type { LockCheck } from './locked.ts'
import { openOutcomeIndex } from './outcome-index.ts'
import type { OutcomeIndex } from './outcome-index.ts'
import { recallOutcomes } from './recall-outcomes.ts'
import { settleByLock, settleUnshipped } from './settle-by-lock.ts'

/** Images, and how their outcomes are to be found. */
export interface OutcomesTask {
  readonly settings: CompressSettings
  readonly workers: Workers
  readonly built: BuiltImages
  readonly tell: (message: string) => void
}

/** Positions of images that are looked at. */
export interface LookedAt {
  /** Those that findings are told of. */
  readonly due: Uint32Array
  /** Those, and the others that count with them. */
  readonly all: Uint32Array
}

/** Outcomes that were found. */
export interface Worked {
  /** Report of the work that earlier runs had not done. */
  readonly report: Report
  /** Findings about images that the lock lacks or has another result of. */
  readonly lockFindings: readonly Finding[]
  /** Files of which it was worked out what a build would ship, as no lock says it. Absolute. */
  readonly forecast: readonly string[]
}

/**
 * Puts what builds ship and what compressing gives into the table: as the lock says, from earlier runs, or by doing it
 * without writing anything. Each way takes the images that the ways before it left over.
 * @returns `undefined` when the person asked it to stop
 * @throws PixpressError `LOCK_INVALID`
 */
export async function outcomesOf(
  images: ImageTable,
  { due, all }: LookedAt,
  around: Surroundings,
  { settings, workers, built, tell }: OutcomesTask,
): Promise<Worked | undefined> {
  const { signal } = around
  const { isBuilt } = built
  const asFiles = pictureOperations(settings.operations)
  const operations: OperationsOf = (file) =>
    file !== undefined && isBuilt(file) ? built.operationsOf(file) : asFiles(file)
  const targetOf = createTargetsInPlace(images)
  const [locked, index] = [await workers.openLock(), await indexOf(settings)]
  const lock = locked && onlyFor(due, images, createLockCheck(locked, workers.cache, index))
  const isDue = positionTest(due)
  const forecast: string[] = []
  const settle = (at: number, bytes: number, outcome: Outcome, key: string): void => {
    if (!isBuilt(images.fileOf(at))) return images.set(at, bytes, outcome)
    if (isDue(at)) forecast.push(images.fileOf(at))
    images.deliver(at, bytes, { bytes: outcome.bytes, id: key, ...(isDue(at) && { outcome }) })
  }
  const progress = createProgress({ enabled: true, lines: true, stream: around.stderr, environment: around.env })
  const { limits } = settings
  const recall = async (): Promise<Uint32Array | undefined> => {
    const records = await openBuildRecords(images, all, { settings, isLocked: (locked?.lines.length ?? 0) > 0, built })
    const known = [locked && createDeliveredLookup(locked), records.lookup].filter((each) => each !== undefined)
    const settling = { lookup: firstOf(known), built, isDue, lock, signal }
    const unlocked = known.length === 0 ? all : await settleByLock(images, all, settling)
    if (signal.aborted) return undefined
    const unshipped = await settleUnshipped(images, unlocked, { built, records })
    if (unshipped.length > 0) tell(unshippedSentence(unshipped.length))
    const left = unlocked.filter((at) => !images.isSet(at))
    return recallOutcomes(images, left, { index, operations, limits, targetOf, lock, signal, isBuilt, settle })
  }
  const unknown = await Promise.race([recall(), aborted(signal)])
  if (unknown === undefined) {
    progress.finish()
    tell('stopped.')
    return undefined
  }
  const positions = new Map(Array.from(unknown, (at) => [images.fileOf(at), at] as const))
  const inputs = [...positions].map(([file, at]) => ({ file, place: images.sourceOf(at) }))
  let isTold = false
  const batch = compressAll(inputs, dryTask(workers, operations, targetOf), {
    cwd: settings.root,
    concurrency: settings.concurrency,
    progress,
    signal,
    usage: async () => workers.engine?.endBuild(),
    seen({ file }, made) {
      const at = positions.get(file)!
      const { length } = made.source
      if (!made.result.cached && !isTold) {
        isTold = true
        progress.clear()
        tell(workSentence(inputs.length))
      }
      settle(at, length, outcomeOf(made), made.result.key)
      lock?.look(images.sourceOf(at), file, length, sha256(made.source))
      if (index !== undefined) note(index, made)
    },
    // Remarks on images that are as they should be would hide the findings.
    tell: () => undefined,
  })
  const report = await Promise.race([batch, aborted(signal)])
  progress.finish()
  if (report === undefined) tell('stopped.')
  const lockFindings = report && lock ? await lock.findings() : []
  if (lock !== undefined) explainByLock(images, due, lock)
  await index?.write()
  return report && { report, lockFindings, forecast }
}

function unshippedSentence(count: number): string {
  const images = count === 1 ? '1 image is' : `${count} images are`
  return `${images} not part of the last build, and not compressed for this check: '--files' judges the files themselves.`
}

function workSentence(count: number): string {
  const images = count === 1 ? '1 image' : `${count} images`
  return `compressing what neither the last build nor the cache has of ${images}, without changing the files.`
}

/** Returns a task that compresses in place of a file, and writes nothing. */
function dryTask({ optimizer, earlier }: Workers, operations: OperationsOf, targetOf: TargetOf): FileTask {
  return {
    optimizer,
    operations,
    targetOf,
    store: undefined,
    lock: undefined,
    dryRun: true,
    overwrite: true,
    earlier,
    force: true,
    preserveTimes: false,
    minSaving: 0,
    inPlace: true,
    isTrial: true,
    backup: undefined,
    originals: undefined,
    writing: async () => undefined,
  }
}

/** Images that only count among others are no part of a change: the lock is not held against them. */
function onlyFor(due: Uint32Array, images: ImageTable, lock: LockCheck): LockCheck {
  const isDue = positionTest(due)
  return {
    ...lock,
    look(source, ...rest) {
      if (isDue(images.positionOf(source)!)) lock.look(source, ...rest)
    },
  }
}

/** @param positions sorted or not, each once */
function positionTest(positions: Uint32Array): (at: number) => boolean {
  const chosen = new Set(positions)
  return (at) => chosen.has(at)
}

/** Adds the cache's reasons of the results that the lock names. */
function explainByLock(images: ImageTable, due: Uint32Array, { reasons }: LockCheck): void {
  if (reasons.size === 0) return
  for (const at of due) {
    const why = reasons.get(images.idOf(at) ?? '')
    if (why !== undefined) images.explain(at, why)
  }
}

function outcomeOf({ result, due, losesTwice }: FileOutcome): Outcome {
  const { info, input, score } = result
  const why: Why | undefined = losesTwice ? { because: 'finished' } : whyOfResult(result)
  const rounded = score !== undefined && { score: Math.round(score * 100) / 100 }
  return {
    bytes: info.size,
    type: info.type,
    inputType: input.type,
    ...rounded,
    isDone: !due || losesTwice,
    ...(why && { why }),
  }
}

function note(index: OutcomeIndex, made: FileOutcome): void {
  const { result, source, due, losesTwice } = made
  const { isDone: _, ...outcome } = outcomeOf(made)
  const earlier = earlierKey(source)
  if (outcome.type === outcome.inputType) {
    index.note(result.key, outcomeOf(made), earlier, !due && result.reason !== 'finished')
    return
  }
  // Only a due image was asked whether it would lose detail a second time.
  const isDoneBesides = due ? losesTwice : undefined
  index.noteConverted(result.key, { outcome, result: sha256(result.data), isDoneBesides }, earlier)
}

/**
 * Places results beside their source or in its place. Names of other types are made when one is asked for, as they take
 * memory for each image.
 */
function createTargetsInPlace(images: ImageTable): TargetOf {
  let targets: TargetOf | undefined
  // All neighbours count, as they may have a claim to the same name.
  const inputs = (): InputFile[] => Array.from(images, ({ source }, at) => ({ file: images.fileOf(at), place: source }))
  return (input, from, to) => {
    if (from === to) return input.file
    targets ??= createTargets(inputs(), undefined)
    return targets(input, from, to)
  }
}

/** A frozen run has to find every result in the cache, and what a service would make is not known here. */
async function indexOf({ cache, cacheMode, remote, limits = {} }: CompressSettings): Promise<OutcomeIndex | undefined> {
  if (cache === false || cacheMode === 'frozen' || remote !== undefined) return undefined
  const hasRemote = cache.remote !== undefined
  const isWritable = cacheMode === 'readwrite' || hasRemote
  return openOutcomeIndex({ dir: cache.dir, hasRemote, isWritable, limits: JSON.stringify(limits) })
}

/** Adjusting changes the picture, and would do so again in every run: there is nothing to compare it with. */
export function pictureOperations(operationsOf: OperationsOf): (file: string | undefined) => FileOperations {
  const seen = new Map<FileOperations, FileOperations>()
  return (file) => {
    const given = operationsOf(file)
    let made = seen.get(given)
    if (made === undefined) {
      const { adjust: _, ...operations } = given.operations
      seen.set(given, (made = { operations, score: given.score }))
    }
    return made
  }
}
