import type { ImageType, InputType, Operations } from '@pixpress/core'
import { AUTO_TYPES } from '@pixpress/core/internal'
import { STEPS } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'
import type { ImageOptions } from '../plan/image-operations.ts'
import type { Recipes } from '../plan/planner.ts'
import { resolvePluginOptions } from '../options/resolve.ts'
import type { Options, ResolvedOptions } from '../options/options.ts'

/** Describes what a step asks for in place of an image, of which the smallest is delivered. */
export interface Wanted {
  readonly file: string
  /** Puts the requests together: a build counts all of its images, and makes requests of few. */
  tries(): readonly Try[]
  /** Tells whether it is certain that the step delivers them, so that a build may encode them to find out. */
  readonly mayTry: boolean
  /**
   * Tells whether the step delivers what it makes in place of the image, even where that is larger. Default: the
   * smaller of them
   */
  readonly isAlone?: true
  /** Tells whether the step may offer more than that, where the image stands. */
  readonly isLeast: boolean
}

/** One request, and the types that it is made in. */
export interface Try {
  readonly types: readonly InputType[]
  readonly operations: Operations
}

/** @returns `undefined` for an image that the step is not for */
export type WantedOf = (id: string, image: ReportImage) => Wanted | undefined

/** The parts of a session that the steps of a report are computed from. */
export interface WantedParts {
  /** Absolute folder of the project. */
  readonly root: string
  /** The bundler's own targets, as for `resolvePluginOptions`. */
  readonly targets: readonly string[]
  readonly asked: ImageOptions
  readonly recipes: Recipes
}

/** Holds what `convert: 'auto'` offers, the quickest to make first. */
const AUTO: readonly ImageType[] = AUTO_TYPES.toReversed()

/** One request for each type. */
const triesOf = (types: readonly ImageType[], own: Operations): Try[] =>
  types.map((type) => ({ types: [type], operations: { ...own, convert: { type: [type] } } }))

/**
 * Tells whether `convert: 'auto'` may offer an image in other types that it is not computed for: pages and stylesheets
 * that name a copy do, and who names it is not known without.
 */
export function mayBeOffered({ recipes }: Pick<WantedParts, 'recipes'>, id: string, image: ReportImage): boolean {
  const isPicture = image.type === image.inputType && image.type !== 'image/svg+xml'
  return isPicture && recipes.get(id)?.use === 'public'
}

/**
 * Gives what `convert: 'auto'` makes of images: the operations of `offer/offer.ts` and of `image-operations.ts`, and so
 * their keys.
 */
export function createConverted({ root, targets, asked, recipes }: WantedParts): WantedOf {
  let known: readonly ImageType[] | undefined
  /** The types that every browser of the project reads: those of images that stand alone, as scripts have them. */
  const covered = (): readonly ImageType[] =>
    (known ??= readSetting(STEPS['convert-auto'].setting, root, targets).covered)

  return (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined || image.type !== image.inputType || image.type === 'image/svg+xml') return undefined
    const { file, use, extra, isTyped } = recipe
    const mayChange = (use === 'beside' || use === 'content') && isTyped !== true
    if (!mayChange || extra?.convert !== undefined) return undefined
    const { operations: own, reason } = extra ? { operations: extra } : asked.of(file, image.type, 'beside')
    if (reason !== undefined) return undefined
    const offered = (): Try[] =>
      triesOf(
        AUTO.filter((type) => type !== image.type),
        own,
      )
    if (use === 'beside') return { file, tries: offered, mayTry: true, isLeast: false }
    const alone = covered()
    // It may stand in a page or stylesheet, which offer other types; no script does where not all browsers read them.
    if (alone.length === 0) return { file, tries: offered, mayTry: false, isLeast: false }
    return {
      file,
      tries: () => [{ types: alone, operations: { ...own, convert: { type: [...alone] } } }],
      mayTry: true,
      isAlone: true,
      isLeast: alone.length < AUTO.length,
    }
  }
}

/** Gives what `effort: 'max'` makes of images. */
export function createThorough({ asked, recipes }: WantedParts): WantedOf {
  return (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined) return undefined
    const { file, use, extra } = recipe
    const own = extra ?? asked.of(file, image.inputType, use).operations
    if (own.effort === 'max') return undefined
    const tries = (): Try[] => [{ types: [image.type], operations: { ...own, effort: 'max' } }]
    return { file, tries, mayTry: false, isLeast: false }
  }
}

/**
 * Reads the line of a step as the options read it.
 * @param setting `effort: 'max'`
 * @param targets as for `resolvePluginOptions`
 * @throws PixpressError `INVALID_OPTION` as the options themselves
 */
export function readSetting(setting: string, root: string, targets?: readonly string[]): ResolvedOptions {
  const [, name = setting, value] = /^(\w+): '([^']*)'$/.exec(setting) ?? []
  return resolvePluginOptions({ [name]: value } as Options, root, targets)
}
