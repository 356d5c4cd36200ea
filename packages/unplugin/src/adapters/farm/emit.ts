import path from 'node:path'
import type { CompilationContext } from '@farmfe/core'
import type { FinishedImage, PlannedImage } from '../../core/session.ts'
import type { FarmProject } from './project.ts'
import { encodeRecipe } from './recipe.ts'
import type { Recipe } from './recipe.ts'
import { resourceName } from './resource-name.ts'

/** Puts the images of one module into Farm's output, and gives their URLs. */
export interface ImageEmitter {
  finished(image: FinishedImage): string
  /** The address of the image in the store of the `store` option instead, where that is to be used. */
  stored(image: FinishedImage): Promise<string | undefined>
  /** For the dev server: a URL that changes with the image, at which it is encoded on request. */
  served(image: PlannedImage, recipe: Recipe): string
}

/** @param isLocal Whether the images belong into the output whatever the options say: in a dev server, say. */
export function createEmitter(
  project: FarmProject,
  context: CompilationContext,
  moduleId: string,
  isLocal: boolean,
): ImageEmitter {
  const { session, root, publicPath, assetsFilename } = project
  let emitted = 0

  function emit(imageName: string, identity: Uint8Array, content: Uint8Array): string {
    const owner = emitted === 0 ? moduleId : `${moduleId}#${emitted}`
    emitted++
    const name = resourceName(assetsFilename, imageName, identity, owner)
    // Farm looks the resources of a stylesheet's `url()` up by the id of the module.
    context.emitFile({ resolvedPath: moduleId, name, content: Array.from(content), resourceType: 'asset' })
    return publicPath + name
  }

  return {
    stored: (image) => (isLocal ? Promise.resolve(undefined) : session.stored(image)),
    finished: (image) => emit(image.name, image.data, image.data),
    served({ stem, extension, file, id }, recipe) {
      const name = `${stem}.${extension ?? path.extname(file).slice(1)}`
      return `${emit(name, Buffer.from(id), encodeRecipe(root, recipe))}?v=${id}`
    },
  }
}
