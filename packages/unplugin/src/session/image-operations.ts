import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { InputType, Operations } from '@pixpress/core'
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
  usual(file: string): Operations
  of(file: string, type: InputType | undefined, use: ImageUse): ImageOperations
} {
  const { root, operations: all, convertIcons } = options
  const overrides = options.overrides.map(({ include, exclude, operations }) => ({
    matches: createFilter({ include, exclude, root }),
    operations,
  }))
  const models = createModelFolders()
  const usual = (file: string): Operations =>
    Object.assign({}, all, ...overrides.filter(({ matches }) => matches(file)).map(({ operations }) => operations))

  return {
    usual,
    of(file, type, use) {
      const { convert, ...others } = usual(file)
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
