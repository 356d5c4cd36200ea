import type { ResolvedBudget } from '../project/budgets.ts'
import { compare } from './json.ts'
import { formatBytes } from './units.ts'

/** A file that counts for budgets: one that a build ships, or one of a project without a build. */
export interface BudgetedFile {
  /** The image that it was made of, relative to the root with forward slashes. */
  readonly source: string
  /** Equal for files with the same bytes, which are shipped once. Absent: it is no other's. */
  readonly id?: string
  readonly bytes: number
}

/** What files take that a budget is for. */
export interface BudgetFigures<File extends BudgetedFile> {
  /** Of each image the heaviest file, by `source`: what a budget's `image` is held against. */
  readonly each: readonly File[]
  /** Bytes of those together, files with the same bytes once: what a budget's `total` is held against. */
  readonly bytes: number
  /** `undefined` where there is none. */
  readonly largest: File | undefined
}

/**
 * Says which bytes count towards a budget, for builds, `pixpress check` and the Action alike. Of an image in several sizes and types the heaviest
 * file counts alone: a page's visitor loads one of them, and one more size or a better type beside it is no reason to be over a budget.
 */
export function budgetFigures<File extends BudgetedFile>(files: Iterable<File>): BudgetFigures<File> {
  const heaviest = new Map<string, File>()
  for (const file of files) {
    const former = heaviest.get(file.source)
    if (former === undefined || file.bytes > former.bytes) heaviest.set(file.source, file)
  }
  const each = [...heaviest.values()].sort((a, b) => compare(a.source, b.source))
  const seen = new Set<string>()
  let bytes = 0
  let largest: File | undefined
  for (const file of each) {
    if (largest === undefined || file.bytes > largest.bytes) largest = file
    if (file.id !== undefined && seen.has(file.id)) continue
    if (file.id !== undefined) seen.add(file.id)
    bytes += file.bytes
  }
  return { each, bytes, largest }
}

type Limits = Pick<ResolvedBudget, 'name' | 'image' | 'total'>

/** `161 kB of 100 kB that images/** may have each`: the same words wherever it is said. */
export const overEach = (bytes: number, { name, image = 0 }: Limits): string =>
  `${formatBytes(bytes)} of ${formatBytes(image)} that ${name} may have each`

/** `1.3 MB of 700 kB that images/** may have together` */
export const overAll = (bytes: number, { name, total = 0 }: Limits): string =>
  `${formatBytes(bytes)} of ${formatBytes(total)} that ${name} may have together`
