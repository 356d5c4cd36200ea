import type { InputType, Operations } from '@pixpress/core'
import { INPUT_ONLY } from '@pixpress/core/internal'
import { frozenCopy } from '../../base/frozen-copy.ts'
import type { ImageUse } from '../../references/types.ts'
import { REASONS, createTextures } from '../../textures/textures.ts'
import type { TextureReason, Textures } from '../../textures/textures.ts'
import { createFilter } from './filter.ts'
import type { ResolvedOptions } from '../options/options.ts'

/** The operations of one image, and why they differ from those of all. */
export interface ImageOperations {
  readonly operations: Operations
  /** Why they are not what was asked for of all images, as a sentence. */
  readonly reason?: string
  /** Why it is taken for a texture. */
  readonly texture?: TextureReason
  /** Why it keeps its format although the options convert, as a sentence. */
  readonly kept?: string
}

/** Looks up what the options ask of single images: the operations of all images, overruled by `overrides` in order. */
export interface ImageOptions {
  /** Gives the operations of an image that directives are added to. */
  usual(file: string): Operations
  /** Gives the operations of an image without directives. */
  of(file: string, type: InputType | undefined, use: ImageUse): ImageOperations
  /** Returns the option `convert` of an image, as it was given. */
  convertOf(file: string): ResolvedOptions['convert']
}

/** Returns true if the options convert any image. */
export const convertsAny = ({ operations, overrides }: Pick<ResolvedOptions, 'operations' | 'overrides'>): boolean =>
  [operations, ...overrides.map((each) => each.operations)].some(({ convert }) => convert !== undefined)

/** @param textures tells which PNGs stay lossless where the options say nothing. Default: by the project's folder */
export function createImageOptions(
  options: ResolvedOptions,
  textures: Textures = createTextures(options.root),
): ImageOptions {
  const { root, operations: all, convertIcons } = options
  const overrides = options.overrides.map(({ include, exclude, convert, operations }) => ({
    matches: createFilter({ include, exclude, root }),
    convert,
    operations,
  }))
  const known = new Map<string, Operations>()

  /** Gives one object for one answer, so that plans share what they make of it. */
  function once(key: string, make: () => Operations): Operations {
    let operations = known.get(key)
    if (operations === undefined) known.set(key, (operations = frozenCopy(make())))
    return operations
  }

  /** Tells which of the overrides an image has: a digit for each. */
  const matching = (file: string): string => overrides.map(({ matches }) => (matches(file) ? 1 : 0)).join('')

  const asked = (overruled: string): Operations =>
    Object.assign({}, all, ...overrides.filter((_, at) => overruled[at] === '1').map(({ operations }) => operations))

  const usual = (overruled: string): Operations => once(overruled, () => asked(overruled))

  /** The file that gives an image to a reader that is not a browser, unless an override says how to convert it. */
  function givenBy(file: string, overruled: string): string | undefined {
    if (usual(overruled).convert === undefined) return undefined
    const isOwn = overrides.some(({ convert }, at) => overruled[at] === '1' && convert !== undefined)
    return isOwn ? undefined : textures.givenBy(file)
  }

  return {
    usual(file) {
      const overruled = matching(file)
      const own = usual(overruled)
      return givenBy(file, overruled) === undefined ? own : once(`${overruled} given`, () => withoutConvert(own))
    },
    convertOf(file) {
      const overruled = matching(file)
      const own = overrides.findLast(({ convert }, at) => overruled[at] === '1' && convert !== undefined)
      return own === undefined ? options.convert : own.convert
    },
    of(file, type, use) {
      const overruled = matching(file)
      const own = usual(overruled)
      const key = `${overruled} ${use} of `
      // Vectors are only compressed; icons and public files keep their type.
      if (type === 'image/svg+xml') return { operations: once(`${key}svg`, () => ofDrawing(own, use)) }
      const mayConvert = use !== 'public' && use !== 'typed' && (use !== 'icon' || convertIcons)
      const by = mayConvert ? givenBy(file, overruled) : undefined
      const kept = by && { kept: `${by} gives it to a reader that is not a browser.` }
      const operations = mayConvert && by === undefined ? own : once(`${key}own type`, () => withoutConvert(own))
      if (type !== undefined && INPUT_ONLY.has(type) && operations.convert === undefined) {
        // A file that stays in a type that is never written keeps its pixels.
        return { operations: {}, ...kept }
      }
      const isOpen = type === 'image/png' && operations.lossless === undefined
      const texture = isOpen ? textures.reasonFor(file, use === 'public') : undefined
      if (texture === undefined) return { operations, ...kept }
      return {
        operations: once(`${key}lossless`, () => ({ ...asItIs(own), lossless: true })),
        reason: `Lossless, as ${REASONS[texture][0]}.`,
        texture,
      }
    },
  }
}

/** Leaves the operations of an SVG. Unless a reference shows a picture alone, pages can reach its elements. */
function ofDrawing({ svgo, keepElements }: Operations, use: ImageUse): Operations {
  const isKept = keepElements ?? (use !== 'picture' && use !== 'icon')
  return { ...(svgo && { svgo }), ...(isKept && { keepElements: true }) }
}

function withoutConvert(operations: Operations): Operations {
  const { convert: _, ...others } = operations
  return others
}

/** Leaves the operations of an image whose pixels a program looks up by their places. */
function asItIs(operations: Operations): Operations {
  const { maxWidth: _, ...others } = withoutConvert(operations)
  return others
}
