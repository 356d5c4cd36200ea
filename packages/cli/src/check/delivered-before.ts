import path from 'node:path'
import { readLockText } from '@pixpress/core/internal'
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
  /** `undefined`: nothing is compared with a commit. A baseline is of a report then, which says what was delivered. */
  readonly changes: Changes | undefined
}

/** Bytes that builds shipped of a file at the commit that is compared with. @param size of the file there */
export type BytesBefore = (source: string, size: number) => Promise<number>

/**
 * Looks up the bytes that builds shipped at the commit that is compared with: as its lock says, as now if a file is the
 * same, and else as a build would make it of the earlier file. An image that no build ships counts with the bytes of
 * its file.
 * @param images as they are now
 */
export function createBytesBefore(images: ImageTable, task: BeforeTask): BytesBefore {
  const { settings, built, changes } = task
  const known = new Map<string, number>()
  let opening: ReturnType<typeof linesBefore> | undefined
  return async (source, size) => {
    const file = path.resolve(settings.root, source)
    if (changes === undefined || !built.isBuilt(file)) return size
    const former = known.get(source)
    if (former !== undefined) return former
    opening ??= linesBefore(changes, settings.lock)
    const line = (await opening)(file, built.isConverted(file))
    const at = changes.files.has(file) ? undefined : images.positionOf(source)
    const bytes = line ?? (at === undefined ? await shippedOf(file, task) : images.bytesOf(at)) ?? size
    known.set(source, bytes)
    return bytes
  }
}

/** A baseline with what builds shipped of the images that are asked for, by `source`. */
export async function deliveredBaseline(
  baseline: Baseline,
  isAsked: (source: string) => boolean,
  bytesBefore: BytesBefore,
): Promise<Baseline> {
  const delivered = new Map(baseline)
  for (const [source, size] of baseline) {
    if (isAsked(source)) delivered.set(source, await bytesBefore(source, size))
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
async function shippedOf(file: string, { built, changes, workers }: BeforeTask): Promise<number | undefined> {
  const bytes = await changes?.before(file)
  if (bytes === undefined) return undefined
  const { operations } = built.operationsOf(file)
  const made = workers.optimizer.optimize(bytes, operations, { file: path.basename(file) })
  return made.then(
    ({ info }) => info.size,
    () => undefined,
  )
}
