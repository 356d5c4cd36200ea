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
import { createTriedImages } from './tried-images.ts'

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

/** What `convert: 'auto'` offers, the quickest to make first. */
const AUTO: readonly ImageType[] = ['image/webp', 'image/avif']

/** Seconds of 17 pictures in each type (docs/effort.md): what trying one takes, next to the work in its own type. */
const SECONDS: Readonly<Partial<Record<InputType, number>>> = {
  'image/jpeg': 2.13,
  'image/webp': 2.46,
  'image/png': 4.68,
  'image/avif': 5.42,
}

/** What a step asks for in place of an image, of which the smallest is delivered. */
interface Wanted {
  readonly file: string
  /** Of each of the operations. */
  readonly types: readonly InputType[]
  readonly operations: readonly Operations[]
}

/** Gives a result, or does without it. */
type Take = (plan: Plan) => Promise<OptimizeResult | undefined>

/** @returns `undefined` for an image that the step is not for */
type WantedOf = (id: string, image: ReportImage) => Wanted | undefined

export function createWorthFinder({ options, optimizer, asked, recipes }: WorthParts): FindWorth {
  const { operations, overrides, fallback, persistent, cache, remote, root } = options
  const usesConvert = fallback !== false || [operations, ...overrides.map((each) => each.operations)].some(hasConvert)
  const tried = createTriedImages(options.workDir)
  // A folder that somebody has named may be committed, where nobody wants results that no build uses.
  const mayEncode = persistent && cache.mode === 'readwrite' && options.cacheDir !== options.workDir

  /** What a page offers in place of the image where `convert` is `auto`: the operations of `offers.ts`, and so their keys. */
  const converted: WantedOf = (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined || image.type !== image.inputType || image.type === 'image/svg+xml') return undefined
    const { file, use, extra } = recipe
    if ((use !== 'beside' && use !== 'content') || extra?.convert !== undefined) return undefined
    const { operations: own, reason } = extra ? { operations: extra } : asked.of(file, image.type, 'beside')
    if (reason !== undefined) return undefined
    const types = AUTO.filter((type) => type !== image.type)
    return { file, types, operations: types.map((type) => ({ ...own, convert: { type: [type] } })) }
  }

  const thorough: WantedOf = (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined) return undefined
    const { file, use, extra } = recipe
    const own = extra ?? asked.of(file, image.inputType, use).operations
    return own.effort === 'max' ? undefined : { file, types: [image.type], operations: [{ ...own, effort: 'max' }] }
  }

  /** Bytes of all that is wanted and there, in order; nothing of a source that is gone, or cannot be what the step asks for. */
  async function sizesOf({ file, operations: wanted }: Wanted, take: Take): Promise<readonly number[]> {
    try {
      const source = await readFile(file)
      const sizes: number[] = []
      for (const each of wanted) {
        const result = await take(optimizer.plan(source, each, { file: relativePath(root, file) }))
        if (result !== undefined) sizes.push(result.info.size)
      }
      return sizes
    } catch {
      return []
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
    const before = await tried.read()
    const own = images.flatMap(([id, image]) => {
      const wanted = wantedOf(id, image)
      return wanted === undefined ? [] : [{ id, image, wanted }]
    })
    const likely = own.toSorted((a, b) => Number(before.has(b.id)) - Number(before.has(a.id)))
    const known = new Map<string, { saves: number; isWhole: boolean }>()
    const look = async ({ id, image, wanted }: (typeof own)[number], take: Take): Promise<void> => {
      const sizes = await sizesOf(wanted, take)
      if (sizes.length === 0) return
      known.set(id, {
        saves: image.after - Math.min(image.after, ...sizes),
        isWhole: sizes.length === wanted.operations.length,
      })
    }
    let unknown = 0
    for (const each of likely.slice(0, MOST_IMAGES)) {
      await look(each, (plan) => optimizer.recall(plan))
      if (!known.has(each.id) && ++unknown > MOST_UNKNOWN) break
    }
    let left = budget
    const now: string[] = []
    for (const each of own) {
      // What the cache has was offered before, wherever that was; only of pages is it known that they could.
      if (known.has(each.id) || recipes.get(each.id)?.use !== 'beside') continue
      if (each.wanted.types.every((type) => costOf(each.image, type) > left)) continue
      await look(each, async (plan) => {
        const cost = costOf(each.image, plan.types[0]!)
        if (cost > left) return undefined
        left -= cost
        return optimizer.materialize(plan)
      })
      now.push(each.id)
    }
    await tried.add(now)
    if (known.size === 0) return undefined
    const all = [...known.values()]
    const worth = worthOf(
      step,
      all.reduce((sum, { saves }) => sum + saves, 0),
      known.size,
      own.length,
    )
    return all.every(({ isWhole }) => isWhole) ? worth : { ...worth, atLeast: true }
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

/** Milliseconds that trying an image in another type takes, about; `Infinity` where that is not known. */
function costOf({ work, inputType }: ReportImage, type: InputType): number {
  const [own, other] = [SECONDS[inputType], SECONDS[type]]
  return work === undefined || own === undefined || other === undefined
    ? Infinity
    : (work.milliseconds.total * other) / own
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
