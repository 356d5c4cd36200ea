import path from 'node:path'
import type { CompilationContext } from '@farmfe/core'
import { deliverExpression, deliverUrl } from '../../modules/deliver.ts'
import type { FinishedImage, ImageIdentity } from '../../session/plan/images.ts'
import type { FarmProject } from './project.ts'
import { encodeRecipe } from './recipe.ts'
import type { Recipe } from './recipe.ts'
import { resourceName } from './resource-name.ts'

/** Puts the images of one module into Farm's output, and gives their URLs. */
export interface ImageEmitter {
  /** The URL to write into a page. @param hash with its `#`, or empty */
  url(image: FinishedImage, inline: boolean, hash: string): Promise<string>
  /** The URL as a JavaScript expression. @param expressionOf makes one of the URL of an emitted file */
  expression(image: FinishedImage, inline: boolean, expressionOf: (url: string) => string): Promise<string>
  /** For the dev server: a URL that changes with the image, at which it is encoded on request. */
  served(image: ImageIdentity, recipe: Recipe): string
}

/** @param isLocal whether the images belong into the output whatever the options say: in a dev server, say. */
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

  const emitImage = ({ name, data }: FinishedImage): string => emit(name, data, data)

  return {
    url(image, inline, hash) {
      return deliverUrl(session, image, { inline, local: isLocal, emit: emitImage }, hash)
    },
    expression(image, inline, expressionOf) {
      const delivery = { inline, local: isLocal, emit: (each: FinishedImage) => expressionOf(emitImage(each)) }
      return deliverExpression(session, image, delivery)
    },
    served({ stem, extension, file, id }, recipe) {
      const name = `${stem}.${extension ?? path.extname(file).slice(1)}`
      return `${emit(name, Buffer.from(id), encodeRecipe(root, recipe))}?v=${id}`
    },
  }
}
