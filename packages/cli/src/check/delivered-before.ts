import path from 'node:path'
import { readLockText } from '@pixpress/core/internal'
import type { ResolvedBudget } from '@pixpress/core/internal'
import type { CompressSettings } from '../compress/settings.ts'
import type { Workers } from '../compress/workers.ts'
import type { Changes } from '../git/repository.ts'
import type { Baseline } from './baseline.ts'
import type { BuiltImages } from './built-images.ts'
import { heaviestLine, linesBySource } from './delivered-lines.ts'
import type { ImageTable } from './image-table.ts'

interface BeforeTask {
  readonly settings: Pick<CompressSettings, 'root' | 'lock'>
  readonly workers: Pick<Workers, 'optimizer'>
  readonly built: BuiltImages
  /** `undefined`: the baseline is of a report, which says what was delivered. */
  readonly changes: Changes | undefined
  readonly budgets: readonly ResolvedBudget[]
}

/**
 * What builds shipped at the commit that is compared with, in place of the bytes of the files there: as its lock says, as now where a file is the
 * same, and else as a build would make it of the file as it was.
 */
export async function deliveredBefore(baseline: Baseline, images: ImageTable, task: BeforeTask): Promise<Baseline> {
  const { settings, built, changes, budgets } = task
  const isAsked = (source: string): boolean =>
    budgets.some(({ growth, matches }) => growth !== undefined && matches(source))
  if (changes === undefined) return baseline
  const lineOf = await linesBefore(changes, settings.lock)
  const delivered = new Map(baseline)
  for (const [source, size] of baseline) {
    const file = path.resolve(settings.root, source)
    if (!isAsked(source) || !built.isBuilt(file)) continue
    const at = changes.files.has(file) ? undefined : images.positionOf(source)
    const known = lineOf(file, built.isConverted(file)) ?? (at === undefined ? undefined : images.bytesOf(at))
    delivered.set(source, known ?? (await shippedOf(file, task)) ?? size)
  }
  return delivered
}

/** Looks up what the lock of a commit says of a file: bytes of the heaviest result. */
async function linesBefore(
  changes: Changes,
  lock: string | undefined,
): Promise<(file: string, isConverted: boolean) => number | undefined> {
  const text = lock === undefined ? undefined : await changes.before(lock)
  if (lock === undefined || text === undefined) return () => undefined
  const linesOf = linesBySource(await readLockText(text.toString('utf8'), path.basename(lock)))
  const nameOf = (file: string): string => path.relative(path.dirname(lock), file).split(path.sep).join('/')
  return (file, isConverted) => heaviestLine(linesOf.get(nameOf(file)) ?? [], isConverted)?.bytes
}

/** @returns `undefined` for what the commit does not have, or is broken there */
async function shippedOf(
  file: string,
  { built, changes, workers }: BeforeTask,
): Promise<number | undefined> {
  const bytes = await changes?.before(file)
  if (bytes === undefined) return undefined
  const { operations } = built.operationsOf(file)
  const made = workers.optimizer.optimize(bytes, operations, { file: path.basename(file) })
  return made.then(
    ({ info }) => info.size,
    () => undefined,
  )
}
