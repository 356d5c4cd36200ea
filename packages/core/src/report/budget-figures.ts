import type { ResolvedBudget } from '../project/budgets.ts'
import { compare } from './json.ts'
import { formatBytes } from './units.ts'

/** A file that counts towards a budget: a file that a build ships, or a file of a project without a build. */
export interface BudgetedFile {
  /** The image that the file was made from, relative to the root with forward slashes. */
  readonly source: string
  /**
   * Files with the same `id` have the same bytes and are shipped once. A file without one shares its bytes with no
   * other.
   */
  readonly id?: string
  readonly bytes: number
}

/** The bytes that count towards a budget. */
export interface BudgetFigures<File extends BudgetedFile> {
  /** The heaviest file of each image, sorted by `source`. A budget's `image` limits each of them. */
  readonly each: readonly File[]
  /** Sum of their bytes; files with the same bytes count once. A budget's `total` limits it. */
  readonly bytes: number
  /** The heaviest of all; `undefined` if there is no file. */
  readonly largest: File | undefined
}

/**
 * Selects the bytes that count towards a budget, for builds, `pixpress check` and the Action alike. If an image is
 * delivered in several sizes and types, only the heaviest file counts: a visitor of a page loads one of them, so
 * another size or a better type must not put a project over its budget.
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

/** Returns `161 kB of 100 kB that images/** may have each`. Every report of an exceeded budget uses these words. */
export const overEach = (bytes: number, { name, image = 0 }: Limits): string =>
  `${formatBytes(bytes)} of ${formatBytes(image)} that ${name} may have each`

/** Returns `1.3 MB of 700 kB that images/** may have together`. */
export const overAll = (bytes: number, { name, total = 0 }: Limits): string =>
  `${formatBytes(bytes)} of ${formatBytes(total)} that ${name} may have together`
