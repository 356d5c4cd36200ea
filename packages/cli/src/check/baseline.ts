import path from 'node:path'
import { shownPath } from '../compress/batch.ts'
import { isObject, readReportFile } from '../base/report-file.ts'
import type { Changes } from '../git/repository.ts'

/** Bytes of images before, by their paths relative to the root. */
export type Baseline = ReadonlyMap<string, number>

/**
 * @param file absolute, a JSON report of this command, of `compress` or of a build
 * @param isBuilt whether what counts of an image, by its `source`, is what builds ship
 * @throws UsageError when it is none
 */
export async function readBaseline(
  file: string,
  shown: string,
  isBuilt: (source: string) => boolean = () => false,
): Promise<Baseline> {
  const { images } = await readReportFile(file, shown)
  const baseline = new Map<string, number>()
  for (const image of images as readonly unknown[]) {
    if (!isObject(image) || typeof image['source'] !== 'string') continue
    const { source } = image
    const bytes = bytesOf(image, isBuilt(source))
    // A build has an image in several sizes and types, of which the heaviest counts.
    if (bytes !== undefined) baseline.set(source, Math.max(bytes, baseline.get(source) ?? 0))
  }
  return baseline
}

/** Returns the bytes of an image after the run: those that `compress` wrote in place, or that a build shipped. */
function bytesOf(image: Readonly<Record<string, unknown>>, isBuilt: boolean): number | undefined {
  const { source, bytes, before, after, output, written } = image
  const isAfter = (written === true && output === source) || (isBuilt && output === undefined)
  const left = bytes ?? (isAfter ? after : before)
  return typeof left === 'number' ? left : undefined
}

/** The images as they were at a commit. */
export async function baselineAt(changes: Changes, root: string): Promise<Baseline> {
  const sizes = await changes.sizesBefore()
  return new Map([...sizes].map(([file, bytes]) => [shownPath(root, file), bytes]))
}

/** Those of a baseline that a run would look at if they were still there. */
export function selected(baseline: Baseline, root: string, isSelected: (file: string) => boolean): Baseline {
  return new Map([...baseline].filter(([source]) => isSelected(path.resolve(root, source))))
}
