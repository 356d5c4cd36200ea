import path from 'node:path'
import { shownPath } from '../compress/batch.ts'
import { isObject, readReportFile } from '../report-file.ts'
import type { Changes } from '../git/repository.ts'

/** Bytes of images before, by their paths relative to the root. */
export type Baseline = ReadonlyMap<string, number>

/** @param file absolute, a JSON report of this command, of `compress` or of a build. @throws UsageError when it is none */
export async function readBaseline(file: string, shown: string): Promise<Baseline> {
  const { images } = await readReportFile(file, shown)
  return new Map(
    images.flatMap((image: unknown) => {
      const bytes = bytesOf(image)
      return bytes === undefined ? [] : [bytes]
    }),
  )
}

/** The image as the run has left it: what `compress` wrote in place is the file now. */
function bytesOf(image: unknown): [string, number] | undefined {
  if (!isObject(image) || typeof image['source'] !== 'string') return undefined
  const { source, bytes, before, after, output, written } = image
  const left = bytes ?? (written === true && output === source ? after : before)
  return typeof left === 'number' ? [source, left] : undefined
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
