import type { ResolvedBudget } from '@pixpress/core/internal'
import { budgetFigures, compare, formatBytes, overAll } from '@pixpress/core/report'
import type { Baseline } from './baseline.ts'
import type { Finding } from './findings.ts'
import { possibleBytes } from './images.ts'
import type { ImageList } from './image-table.ts'
import type { CheckedImage } from './images.ts'

/** Images that a message about many names. */
const NAMED = 3

/**
 * Finds out whether the images of a budget together exceed it.
 * @param isChecked tells by `source` whether an image was checked: the finding names the largest of these, as the
 * others are no part of the change
 */
export function overTotal(
  images: ImageList,
  budget: ResolvedBudget,
  isChecked: (source: string) => boolean,
): Finding | undefined {
  const { name, total: limit = Infinity } = budget
  const { bytes } = budgetFigures(images)
  if (bytes <= limit) return undefined
  const own = [...images].filter(({ source }) => isChecked(source))
  const [largest] = ranked(own, ({ bytes: each }) => each)
  if (largest === undefined) return undefined
  const possible = budgetFigures(compressed(images)).bytes
  const message = `${overAll(bytes, budget)}; ${remedyFor(images, possible, limit)}.`
  return { rule: 'total-budget', source: largest.source, budget: name, message, bytes, limit, possible }
}

/** Finds out whether the images of a budget grew by more than it allows. Deleted images count as bytes saved. */
export function overGrowth(images: ImageList, budget: ResolvedBudget, baseline: Baseline): Finding | undefined {
  const { name, matches, growth } = budget
  if (growth === undefined) return undefined
  const before = sumOf(baseline, ([source, size]) => (matches(source) ? size : 0))
  const bytes = sumOf(images, (image) => image.bytes)
  const allowed = growth(before)
  if (bytes - before <= allowed || images.length === 0) return undefined
  const grown = (image: CheckedImage): number => image.bytes - (baseline.get(image.source) ?? 0)
  const culprits = ranked(images, grown).filter((image) => grown(image) > 0)
  const named = culprits.slice(0, NAMED).map((image) => {
    const added = `+${formatBytes(grown(image))}`
    return `${image.source} ${baseline.has(image.source) ? added : `is new (${added})`}`
  })
  const more = culprits.length > NAMED ? ` and ${culprits.length - NAMED} more` : ''
  const possible = sumOf(images, possibleBytes)
  const message =
    `${name} grew by ${formatBytes(bytes - before)} to ${formatBytes(bytes)}, and may grow by ${formatBytes(allowed)}: ` +
    `${named.join(', ')}${more}; ${remedyFor(images, possible, before + allowed)}.`
  const limit = before + allowed
  return { rule: 'growth-budget', source: culprits[0]!.source, budget: name, message, bytes, limit, possible }
}

function* compressed(images: ImageList): Iterable<CheckedImage> {
  for (const image of images) yield { ...image, bytes: possibleBytes(image) }
}

const saving = (image: CheckedImage): number => image.bytes - possibleBytes(image)

function remedyFor(images: ImageList, possible: number, limit: number): string {
  const [first] = ranked(images, saving)
  if (first === undefined || saving(first) === 0) {
    const [largest] = ranked(images, ({ bytes }) => bytes)
    return `the largest is ${largest!.source} with ${formatBytes(largest!.bytes)}`
  }
  // An image that was not checked may have been broken before.
  const isPartial = [...images].some(({ outcome }) => outcome === undefined)
  const left = isPartial
    ? `compressing those that were checked leaves ${formatBytes(possible)}`
    : `compressed they ${possible <= limit ? '' : 'still '}take ${formatBytes(possible)}`
  return `${left}, where ${first.source} saves most: ${formatBytes(saving(first))}`
}

/** The most first; equal ones by name. */
function ranked(images: Iterable<CheckedImage>, figure: (image: CheckedImage) => number): CheckedImage[] {
  return [...images].sort((a, b) => figure(b) - figure(a) || compare(a.source, b.source))
}

function sumOf<Each>(all: Iterable<Each>, figure: (each: Each) => number): number {
  let sum = 0
  for (const each of all) sum += figure(each)
  return sum
}
