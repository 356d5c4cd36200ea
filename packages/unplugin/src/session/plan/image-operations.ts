import type { ConvertOptions, ImageType, InputType, Operations } from '@pixpress/core'
import { resolveOperations } from '@pixpress/core/internal'
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
}

/** Looks up what the options ask of single images: the operations of all images, overruled by `overrides` in order. */
export interface ImageOptions {
  /** Gives the operations of an image that directives are added to. */
  usual(file: string, use?: ImageUse): Operations
  /** Gives the operations of an image without directives. */
  of(file: string, type: InputType | undefined, use: ImageUse): ImageOperations
  /** Lists the types that pages and stylesheets offer an image in, the preferred first; none without `fallback`. */
  alternatives(file: string): readonly ImageType[]
}

/** @param textures tells which PNGs stay lossless where the options say nothing. Default: by the project's folder */
export function createImageOptions(
  options: ResolvedOptions,
  textures: Textures = createTextures(options.root),
): ImageOptions {
  const { root, operations: all, convertIcons, fallback, covered } = options
  const overrides = options.overrides.map(({ include, exclude, operations }) => ({
    matches: createFilter({ include, exclude, root }),
    operations,
  }))
  const asked = (file: string): Operations =>
    Object.assign({}, all, ...overrides.filter(({ matches }) => matches(file)).map(({ operations }) => operations))

  function usual(file: string, use: ImageUse = 'content'): Operations {
    const { convert, ...others } = asked(file)
    const taken = convert === undefined ? undefined : fallback === false ? convert : alone(convert, use)
    return taken === undefined ? others : { ...others, convert: taken }
  }

  /** Leaves the types that every browser of the project reads, for an image that has to be one file. */
  function alone(convert: ConvertOptions, use: ImageUse): ConvertOptions | undefined {
    if (use === 'beside') return undefined
    const types = convertTypes(convert).filter((type) => covered.includes(type))
    return types.length === 0 ? undefined : { type: types }
  }

  return {
    usual,
    alternatives(file) {
      const { convert } = asked(file)
      return fallback === false || convert === undefined ? [] : convertTypes(convert)
    },
    of(file, type, use) {
      const { convert, ...others } = usual(file, use)
      // Vectors are only compressed; icons and public files keep their type.
      if (type === 'image/svg+xml') return { operations: others.svgo === undefined ? {} : { svgo: others.svgo } }
      const converts = convert !== undefined && use !== 'public' && use !== 'typed' && (use !== 'icon' || convertIcons)
      const operations = converts ? { ...others, convert } : others
      const isOpen = type === 'image/png' && operations.lossless === undefined
      const texture = isOpen ? textures.reasonFor(file, use === 'public') : undefined
      if (texture === undefined) return { operations }
      return {
        operations: { ...others, lossless: true },
        reason: `Lossless, as ${REASONS[texture][0]}.`,
        texture,
      }
    },
  }
}

function convertTypes(convert: ConvertOptions): readonly ImageType[] {
  return resolveOperations({ convert }).types ?? []
}
