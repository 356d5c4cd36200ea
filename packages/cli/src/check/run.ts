import path from 'node:path'
import type { ErrorCode } from '@pixpress/core'
import type { ResolvedBudget } from '@pixpress/core/internal'
import { compare, createProgress } from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import { compressAll, shownPath, sizesOf } from '../compress/batch.ts'
import type { FileTask } from '../compress/compress-file.ts'
import { earlierKey } from '../compress/earlier-results.ts'
import type { FileOperations, OperationsOf } from '../compress/file-operations.ts'
import { createSelection, findInputs } from '../compress/inputs.ts'
import type { InputFile } from '../compress/inputs.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { ofShard } from '../compress/shard.ts'
import { createTargets } from '../compress/targets.ts'
import { aborted } from '../compress/workers.ts'
import type { Workers } from '../compress/workers.ts'
import type { Surroundings } from '../output.ts'
import { baselineAt, readBaseline, selected } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import { inOrder } from './findings.ts'
import type { Finding } from './findings.ts'
import type { CheckResult } from './formats/contract.ts'
import type { Changes } from './git.ts'
import { overGrowth, overTotal } from './groups.ts'
import { overBudget, shrinking } from './images.ts'
import type { CheckedImage, Outcome } from './images.ts'
import { createKnownWork } from './known-work.ts'
import { lockFindings } from './locked.ts'
import { openOutcomeIndex } from './outcome-index.ts'
import type { OutcomeIndex } from './outcome-index.ts'
import { heavyPages } from './pages.ts'
import { recallOutcomes } from './recall-outcomes.ts'
import type { FileState } from './recall-outcomes.ts'

export interface CheckTask {
  readonly settings: CompressSettings
  readonly workers: Workers
  /** `undefined`: every image is looked at. */
  readonly changes: Changes | undefined
  /** File of a JSON report, as it was given. */
  readonly baseline: string | undefined
  readonly budgets: readonly ResolvedBudget[]
  /** Absolute folder of a finished build; `undefined`: its pages are not looked at. */
  readonly pages: string | undefined
  /** Percent. */
  readonly minSaving: number
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
  task: CheckTask,
): Promise<CheckResult | undefined> {
  const { settings, changes, budgets, minSaving } = task
  const { root } = settings
  const inputs = await findInputs(patterns, { ...settings, cwd: around.cwd })
  const baseline = await baselineOf(patterns, around.cwd, task)
  const part = settings.shard === undefined ? inputs : ofShard(inputs, settings.shard, around.cwd)
  const due = changes === undefined ? part : part.filter(({ file }) => changes.files.has(file))
  const worked = await outcomesOf(inputs, due, around, task)
  if (worked === undefined) return undefined
  const { states, report } = worked
  const sizes = await sizesOf(inputs.filter(({ file }) => !states.has(file)))

  const imageOf = ({ file }: InputFile): CheckedImage => {
    const source = shownPath(root, file)
    const state = states.get(file)
    return state === undefined ? { source, bytes: sizes.get(file) ?? 0 } : { source, ...state }
  }
  const inSequence = (all: readonly InputFile[]): CheckedImage[] =>
    all.map(imageOf).sort((a, b) => compare(a.source, b.source))
  const images = inSequence(inputs)
  const checked = due === inputs ? images : inSequence(due)
  const known = createKnownWork(
    task.workers.optimizer,
    settings.remote === undefined ? task.workers.cache : undefined,
    (source) => path.resolve(root, source),
    pictureOperations(settings.operations),
  )

  const findings: Finding[] = []
  const add = (finding: Finding | undefined): void => void (finding !== undefined && findings.push(finding))
  for (const image of checked) {
    add(shrinking(image, minSaving))
    for (const budget of budgets) if (budget.matches(image.source)) add(await overBudget(image, budget, known))
  }
  const touched = new Set(checked.map(({ source }) => source))
  for (const budget of budgets) {
    const own = images.filter(({ source }) => budget.matches(source))
    // What was too much before is no fault of a change that touches none of it.
    if (!own.some(({ source }) => touched.has(source))) continue
    add(overTotal(own, budget, (source) => touched.has(source)))
    if (baseline !== undefined) add(overGrowth(own, budget, baseline))
  }
  findings.push(...(await heavyPages(task, root)))
  const lock = await task.workers.openLock()
  if (lock !== undefined) {
    const whole = checked.filter(({ outcome }) => outcome !== undefined)
    findings.push(...(await lockFindings(whole, lock, root, task.workers.cache)))
  }
  const sizeOf = new Map(images.map(({ source, bytes }) => [source, bytes]))
  for (const { source, code, message } of report.failures) {
    if (!BROKEN.has(code)) continue
    findings.push({ rule: 'broken', source, message: lasting(code, message), bytes: sizeOf.get(source) ?? 0 })
  }
  const failures = report.failures.filter(({ code }) => !BROKEN.has(code))
  const unchecked = new Set(failures.map(({ source }) => source))
  return {
    findings: inOrder(findings),
    images,
    checked: checked.filter(({ source }) => !unchecked.has(source)),
    failures,
  }
}

/** Without the decoder's own words, which differ from one attempt to the next. */
const lasting = (code: ErrorCode, message: string): string =>
  code === 'DECODE_FAILED' ? message.replace(/: [^]*$/, '.') : message

interface Worked {
  /** By absolute path. */
  readonly states: ReadonlyMap<string, FileState>
  readonly report: Report
}

/** @returns `undefined` when the person asked it to stop */
async function outcomesOf(
  inputs: readonly InputFile[],
  due: readonly InputFile[],
  around: Surroundings,
  { settings, workers, tell }: CheckTask,
): Promise<Worked | undefined> {
  const operations = pictureOperations(settings.operations)
  const progress = createProgress({ enabled: true, stream: around.stderr, environment: around.env })
  const index = await indexOf(settings)
  const { signal } = around
  const recalling = recallOutcomes(due, { index, optimizer: workers.optimizer, operations, signal })
  const recalled = await Promise.race([recalling, aborted(signal)])
  if (recalled === undefined) {
    progress.finish()
    tell('stopped.')
    return undefined
  }
  const { states, unknown } = recalled
  const dry: FileTask = {
    optimizer: workers.optimizer,
    operations,
    // Its neighbours count, as they may have a claim to the same name.
    targetOf: unknown.length === 0 ? ({ file }) => file : createTargets(inputs, undefined),
    store: undefined,
    lock: undefined,
    dryRun: true,
    overwrite: true,
    earlier: workers.earlier,
    force: true,
    preserveTimes: false,
    minSaving: 0,
    backup: undefined,
    writing: async () => undefined,
  }
  const batch = compressAll(unknown, dry, {
    cwd: settings.root,
    concurrency: settings.concurrency,
    progress,
    signal,
    usage: async () => workers.engine?.endBuild(),
    seen({ file }, { result: { info, input, score, key, reason }, source, due: isDue, losesTwice }) {
      const outcome: Outcome = {
        bytes: info.size,
        type: info.type,
        inputType: input.type,
        ...(score !== undefined && { score: Math.round(score * 100) / 100 }),
        isDone: !isDue || losesTwice,
      }
      states.set(file, { outcome, bytes: source.length })
      // A result of another type belongs into another file, which may come and go.
      if (info.type === input.type) index?.note(key, outcome, earlierKey(source), !isDue && reason !== 'finished')
    },
    // Remarks on images that are as they should be would hide the findings.
    tell: () => undefined,
  })
  const report = await Promise.race([batch, aborted(signal)])
  progress.finish()
  if (report === undefined) tell('stopped.')
  await index?.write()
  return report && { states, report }
}

/** A frozen run has to find every result in the cache, and what a service would make is not known here. */
async function indexOf({ cache, cacheMode, remote, limits = {} }: CompressSettings): Promise<OutcomeIndex | undefined> {
  if (cache === false || cacheMode === 'frozen' || remote !== undefined) return undefined
  const hasRemote = cache.remote !== undefined
  const isWritable = cacheMode === 'readwrite' || hasRemote
  return openOutcomeIndex({ dir: cache.dir, hasRemote, isWritable, limits: JSON.stringify(limits) })
}

/** Adjusting changes the picture, and would do so again in every run: there is nothing to compare it with. */
function pictureOperations(operationsOf: OperationsOf): (file: string | undefined) => ReturnType<OperationsOf> {
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

async function baselineOf(
  patterns: readonly string[],
  cwd: string,
  { baseline, changes, budgets, settings, tell }: CheckTask,
): Promise<Baseline | undefined> {
  const { root } = settings
  const isWanted = budgets.some(({ growth }) => growth !== undefined)
  const whole =
    baseline !== undefined
      ? await readBaseline(path.resolve(cwd, baseline), baseline)
      : isWanted && changes !== undefined
        ? await baselineAt(changes, root)
        : undefined
  if (isWanted && whole === undefined) tell("'growth' of budgets needs --baseline or --changed, and is not checked.")
  return whole && selected(whole, root, createSelection(patterns, { ...settings, cwd }))
}
