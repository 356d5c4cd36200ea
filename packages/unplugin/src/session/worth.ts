import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { STEPS, worthMost, worthOf } from '@pixpress/core/report'
import type { ReportImage, Step, Worth } from '@pixpress/core/report'
import type { ImageType, InputType, Operations, OptimizeResult, Optimizer, Plan } from '@pixpress/core'
import type { createOperations } from './image-operations.ts'
import type { Recipe } from './besides.ts'
import { resolveOptions } from './options.ts'
import type { Options, ResolvedOptions } from './options.ts'
import { relativePath } from './paths.ts'

/**
 * Finds the step that would save most in a build, from results that are there.
 * @param images of the report, by identity
 */
export type FindWorth = (images: ReadonlyMap<string, ReportImage>) => Promise<Worth | undefined>

interface WorthParts {
  readonly options: ResolvedOptions
  readonly optimizer: Optimizer
  readonly asked: ReturnType<typeof createOperations>
  readonly recipes: ReadonlyMap<string, Omit<Recipe, 'id' | 'extra'> & { readonly extra: Operations | undefined }>
}

/** The heaviest images are looked at, as looking one up takes two reads of the disk. */
const MOST_IMAGES = 32

/** Images that nothing is known of, after which nobody looks for more: most projects have never tried. */
const MOST_UNKNOWN = 3

/** Share of a build's work that may go into trying what else there is. */
const TRIAL_SHARE = 0.02

/**
 * Time of AVIF and WebP together as a multiple of the work in the own type: of 17 pictures 7.9 s against 2.1 s of JPEG, 4.7 s of PNG
 * and 2.5 s of WebP (docs/effort.md), rounded up.
 */
const TRIAL_COST: Readonly<Partial<Record<InputType, number>>> = { 'image/jpeg': 4, 'image/png': 2, 'image/webp': 4 }

const AUTO: readonly ImageType[] = ['image/avif', 'image/webp']

/** What a step asks for in place of an image, of which the smallest is delivered. */
interface Wanted {
  readonly file: string
  readonly operations: readonly Operations[]
}

/** @returns `undefined` for an image that the step is not for */
type WantedOf = (id: string, image: ReportImage) => Wanted | undefined

export function createWorthFinder({ options, optimizer, asked, recipes }: WorthParts): FindWorth {
  const { operations, overrides, fallback, persistent, cache, remote, root } = options
  const usesConvert = fallback !== false || [operations, ...overrides.map((each) => each.operations)].some(hasConvert)
  const mayEncode = persistent && cache.mode === 'readwrite'

  /** What a page offers in place of the image where `convert` is `auto`: the operations of `offers.ts`, and so their keys. */
  const converted: WantedOf = (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined || image.type !== image.inputType || image.type === 'image/svg+xml') return undefined
    const { file, use, extra } = recipe
    if ((use !== 'beside' && use !== 'content') || extra?.convert !== undefined) return undefined
    const { operations: own, reason } = extra ? { operations: extra } : asked.of(file, image.type, 'beside')
    if (reason !== undefined) return undefined
    const types = AUTO.filter((type) => type !== image.type)
    return { file, operations: types.map((type) => ({ ...own, convert: { type: [type] } })) }
  }

  const thorough: WantedOf = (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined) return undefined
    const { file, use, extra } = recipe
    const own = extra ?? asked.of(file, image.inputType, use).operations
    return own.effort === 'max' ? undefined : { file, operations: [{ ...own, effort: 'max' }] }
  }

  /** Bytes of the smallest of what is wanted; `undefined` where not all of it is there. */
  async function bytesOf(
    { file, operations: wanted }: Wanted,
    take: (plan: Plan) => Promise<OptimizeResult | undefined>,
  ): Promise<number | undefined> {
    try {
      const source = await readFile(file)
      const plans = wanted.map((each) => optimizer.plan(source, each, { file: relativePath(root, file) }))
      const sizes = (await Promise.all(plans.map(take))).map((result) => result?.info.size)
      return sizes.includes(undefined) ? undefined : Math.min(...(sizes as number[]))
    } catch {
      // A source that is gone, or that cannot be what the step asks for.
      return undefined
    }
  }

  /**
   * What a step saves in the images whose results the cache has.
   * @param images the heaviest first
   * @param budget milliseconds of work that may be done for it besides
   */
  async function measured(
    step: Step,
    images: readonly (readonly [id: string, image: ReportImage])[],
    wantedOf: WantedOf,
    budget: number,
  ): Promise<Worth | undefined> {
    const own = images.flatMap(([id, image]) => {
      const wanted = wantedOf(id, image)
      return wanted === undefined ? [] : [{ id, image, wanted }]
    })
    const saved = new Map<string, number>()
    const note = (id: string, { after }: ReportImage, bytes: number | undefined): void => {
      if (bytes !== undefined) saved.set(id, Math.max(0, after - bytes))
    }
    let unknown = 0
    for (const { id, image, wanted } of own.slice(0, MOST_IMAGES)) {
      note(id, image, await bytesOf(wanted, (plan) => optimizer.recall(plan)))
      if (!saved.has(id) && ++unknown > MOST_UNKNOWN) break
    }
    let left = budget
    for (const { id, image, wanted } of own) {
      const cost = costOf(image)
      // What the cache has was offered before, wherever that was; only of pages is it known that they could.
      if (saved.has(id) || cost > left || recipes.get(id)?.use !== 'beside') continue
      left -= cost
      note(id, image, await bytesOf(wanted, (plan) => optimizer.materialize(plan)))
    }
    const saves = [...saved.values()].reduce((sum, each) => sum + each, 0)
    return saved.size === 0 ? undefined : worthOf(step, saves, saved.size, own.length)
  }

  return async (images) => {
    // A cache of others would be asked over the network, and a service paid, for what nobody asked.
    if (!persistent || remote !== undefined || cache.remote !== undefined || usesConvert) return undefined
    const ordered = [...images].sort(([, a], [, b]) => b.after - a.after)
    const spent = ordered.reduce((sum, [, { work }]) => sum + (work?.milliseconds.total ?? 0), 0)
    const budget = mayEncode ? spent * TRIAL_SHARE : 0
    return worthMost([
      await proved('convert-auto', root, () => measured('convert-auto', ordered, converted, budget)),
      await proved('effort-max', root, () => measured('effort-max', ordered, thorough, 0)),
    ])
  }
}

/** Milliseconds that trying an image takes, about; `Infinity` where that is not known. */
function costOf({ work, inputType }: ReportImage): number {
  const factor = TRIAL_COST[inputType]
  return work === undefined || factor === undefined ? Infinity : work.milliseconds.total * factor
}

const hasConvert = ({ convert }: Operations): boolean => convert !== undefined

/** Measures a step only where the options take the line that names it. */
async function proved(step: Step, root: string, measure: () => Promise<Worth | undefined>): Promise<Worth | undefined> {
  try {
    readSetting(STEPS[step].setting, root)
  } catch {
    return undefined
  }
  return measure()
}

/**
 * Reads the line of a step as the options read it.
 * @param setting `effort: 'max'`
 * @throws PixpressError `INVALID_OPTION` as the options themselves
 */
export function readSetting(setting: string, root: string): ResolvedOptions {
  const [, name = setting, value] = /^(\w+): '([^']*)'$/.exec(setting) ?? []
  return resolveOptions({ [name]: value } as Options, path.resolve(root))
}
