import type { ResolvedBudget } from '@pixpress/core/internal'
import { budgetFigures } from '@pixpress/core/report'
import type { Baseline } from './baseline.ts'
import { positionsOf } from './image-table.ts'
import type { ImageList, ImageTable } from './image-table.ts'

/** How one limit of a budget stands, whether it is kept or not. */
export interface Standing {
  /** The budget's name: its patterns. */
  readonly budget: string
  /** The limit's key in the configuration. */
  readonly key: 'image' | 'total' | 'growth'
  /** Bytes that may be there: of each image, or of all together. */
  readonly limit: number
  /** Bytes that are there: of the heaviest image that was checked, or of all together. */
  readonly bytes: number
  /** The same bytes at the commit or in the report that is compared with. Absent where there is none. */
  readonly before?: number
  /** The heaviest image. Absent from limits of all together. */
  readonly source?: string
}

/** The images that are held against budgets, and what they are compared with. */
interface Compared {
  /** Positions of the images that were checked. */
  readonly due: Uint32Array
  readonly baseline: Baseline | undefined
  /** Absolute paths of images that lie elsewhere, whose earlier sizes no commit knows. */
  readonly besides: ReadonlySet<string>
}

/** Lists every limit that the checked images concern, in the order of the configuration. */
export function standingsOf(
  budgets: readonly ResolvedBudget[],
  images: ImageTable,
  { due, baseline, besides }: Compared,
): readonly Standing[] {
  return budgets.flatMap((budget): Standing[] => {
    const checked = due.filter((at) => budget.matches(images.sourceOf(at)))
    if (checked.length === 0) return []
    const own = positionsOf(images, budget.matches)
    const known = besides.size === 0 ? own : own.filter((at) => !besides.has(images.fileOf(at)))
    return [
      heaviest(budget, images.at(checked), baseline),
      together(budget, images.at(own), known.length === own.length ? baseline : undefined),
      growth(budget, images.at(known), baseline),
    ].filter((each) => each !== undefined)
  })
}

function heaviest(
  { name, image: limit }: ResolvedBudget,
  checked: ImageList,
  baseline?: Baseline,
): Standing | undefined {
  const { largest } = budgetFigures(checked)
  if (limit === undefined || largest === undefined) return undefined
  const { source, bytes } = largest
  return { budget: name, key: 'image', limit, bytes, ...beforeOf(baseline?.get(source)), source }
}

function together(budget: ResolvedBudget, all: ImageList, baseline?: Baseline): Standing | undefined {
  const { name, total: limit } = budget
  if (limit === undefined) return undefined
  const { bytes } = budgetFigures(all)
  // Files with the same bytes count once now, and nobody knows which of the earlier ones had the same.
  const isCountable = bytes === sumOf(all)
  return { budget: name, key: 'total', limit, bytes, ...(isCountable && beforeOf(earlier(budget, baseline))) }
}

function growth(budget: ResolvedBudget, all: ImageList, baseline?: Baseline): Standing | undefined {
  const before = earlier(budget, baseline)
  if (budget.growth === undefined || before === undefined) return undefined
  return { budget: budget.name, key: 'growth', limit: before + budget.growth(before), bytes: sumOf(all), before }
}

const beforeOf = (before: number | undefined): Pick<Standing, 'before'> => (before === undefined ? {} : { before })

function sumOf(images: ImageList): number {
  let sum = 0
  for (const { bytes } of images) sum += bytes
  return sum
}

/** Sums up what a budget's images had. Those that are gone count as well. */
function earlier({ matches }: ResolvedBudget, baseline: Baseline | undefined): number | undefined {
  if (baseline === undefined) return undefined
  let sum = 0
  for (const [source, bytes] of baseline) if (matches(source)) sum += bytes
  return sum
}
