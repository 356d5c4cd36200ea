import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ConvertOptions, ImageType, InputType, Operations } from '@pixpress/core'
import { resolveOperations } from '@pixpress/core/internal'
import type { ImageUse } from '../references/types.ts'
import { createFilter } from './filter.ts'
import type { ResolvedOptions } from './options.ts'

/** What the options say is to be done to an image. */
export interface ImageOperations {
  readonly operations: Operations
  /** Why they are not what was asked for of all images, as a sentence. */
  readonly reason?: string
}

/** Words in the names of textures that hold data instead of colours. */
const MAPS =
  /(?:^|[-_. ])(?:normals?|nrm|nor|roughness|rough|metallic|metalness|height|displacement|disp|bump|ao|occlusion|orm|arm|lut)(?:[-_. ]?(?:map|gl|dx|\d+k?))*$/i

const MODEL = /\.(?:gltf|glb)$/i

/** Makes the lookup of operations by file: those of all images, overruled by the overrides that include it, in order. */
export function createOperations(options: ResolvedOptions): {
  /** Those of an image that directives are added to. */
  usual(file: string, use?: ImageUse): Operations
  of(file: string, type: InputType | undefined, use: ImageUse): ImageOperations
  /** The types that pages and stylesheets offer beside the image's own, the preferred first; none without `fallback`. */
  besides(file: string): readonly ImageType[]
} {
  const { root, operations: all, convertIcons, fallback, covered } = options
  const overrides = options.overrides.map(({ include, exclude, operations }) => ({
    matches: createFilter({ include, exclude, root }),
    operations,
  }))
  const models = createModelFolders()
  const asked = (file: string): Operations =>
    Object.assign({}, all, ...overrides.filter(({ matches }) => matches(file)).map(({ operations }) => operations))

  function usual(file: string, use: ImageUse = 'content'): Operations {
    const { convert, ...others } = asked(file)
    const taken = convert === undefined ? undefined : fallback === false ? convert : alone(convert, use)
    return taken === undefined ? others : { ...others, convert: taken }
  }

  /** What an image becomes where it has to be one file: nothing that a browser of the project may not read. */
  function alone(convert: ConvertOptions, use: ImageUse): ConvertOptions | undefined {
    if (use === 'beside') return undefined
    const types = typesOf(convert).filter((type) => covered.includes(type))
    return types.length === 0 ? undefined : { type: types }
  }

  return {
    usual,
    besides(file) {
      const { convert } = asked(file)
      return fallback === false || convert === undefined ? [] : typesOf(convert)
    },
    of(file, type, use) {
      const { convert, ...others } = usual(file, use)
      // Vectors are only compressed; icons and public files keep their type.
      if (type === 'image/svg+xml') return { operations: others.svgo === undefined ? {} : { svgo: others.svgo } }
      const converts = convert !== undefined && use !== 'public' && use !== 'typed' && (use !== 'icon' || convertIcons)
      const operations = converts ? { ...others, convert } : others
      const data =
        type === 'image/png' && operations.lossless === undefined ? dataTexture(file, use, models) : undefined
      return data === undefined
        ? { operations }
        : {
            operations: { ...others, lossless: true },
            reason: `Lossless, as ${data} may hold data instead of colours.`,
          }
    },
  }
}

function typesOf(convert: ConvertOptions): readonly ImageType[] {
  return resolveOperations({ convert }).types ?? []
}

/** What says that a PNG may be a texture whose values are read by a program; `undefined` where nothing does. */
function dataTexture(file: string, use: ImageUse, models: ModelFolders): string | undefined {
  if (MAPS.test(path.basename(file, path.extname(file)))) return 'a PNG that is named like a map'
  if (use === 'public') return 'a PNG of a public folder'
  return models.has(path.dirname(file)) ? 'a PNG beside a glTF model' : undefined
}

/** Which folders hold glTF models. */
interface ModelFolders {
  has(folder: string): boolean
}

/** A folder is listed once, and again when it has changed: a thousand images of one folder would list it a thousand times. */
function createModelFolders(): ModelFolders {
  const known = new Map<string, { changed: number; hasModel: boolean }>()
  return {
    has(folder) {
      const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
      // The file is not on the disk.
      if (changed === undefined) return false
      let entry = known.get(folder)
      if (entry?.changed !== changed) {
        entry = { changed, hasModel: readdirSync(folder).some((name) => MODEL.test(name)) }
        known.set(folder, entry)
      }
      return entry.hasModel
    },
  }
}
