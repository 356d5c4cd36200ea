import type { ImageType, InputType, Operations } from '@pixpress/core'
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

/** Gives what `convert: 'auto'` makes of images: the operations of `image-operations.ts`, and so their keys. */
export function createConverted({ root, targets, asked, recipes }: WantedParts): WantedOf {
  let known: readonly ImageType[] | undefined
  const covered = (): readonly ImageType[] =>
    (known ??= readSetting(STEPS['convert-auto'].setting, root, targets).covered)

  return (id, image) => {
    const recipe = recipes.get(id)
    if (recipe === undefined || image.type !== image.inputType || image.type === 'image/svg+xml') return undefined
    const { file, use, extra, isTyped } = recipe
    if (use !== 'content' || isTyped === true || extra?.convert !== undefined || covered().length === 0)
      return undefined
    const { operations: own, reason } = extra ? { operations: extra } : asked.of(file, image.type, 'content')
    if (reason !== undefined) return undefined
    const types = covered()
    return { file, tries: () => [{ types, operations: { ...own, convert: { type: types } } }], mayTry: true }
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
    return { file, tries, mayTry: false }
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
