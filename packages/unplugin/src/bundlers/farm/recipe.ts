import path from 'node:path'
import { planReference, readQuery } from '../../modules/reference.ts'
import type { ImageUse } from '../../references/types.ts'
import type { PlannedImage } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'

/** How to plan an image again that a dev server's page refers to. */
export interface Recipe {
  /** Absolute. */
  readonly file: string
  readonly query: string
  /** Which of the images that the query asks for. */
  readonly index: number
  readonly use: ImageUse
}

/** No image begins like this. */
const MARK = '\0pixpress '

/**
 * The placeholder of an image in the memory of Farm's dev server until a browser asks for it. It says all there
 * is to know, since Farm keeps them in its persistent cache and then does not load the module again.
 */
export function encodeRecipe(root: string, recipe: Recipe): Uint8Array {
  return Buffer.from(MARK + JSON.stringify({ ...recipe, file: relativePath(root, recipe.file) }))
}

/** The recipe in a resource's bytes; `undefined` when they are just bytes. */
export function decodeRecipe(root: string, data: Uint8Array): Recipe | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (text.indexOf(MARK) !== 0) return undefined
  const recipe = JSON.parse(text.toString('utf8', MARK.length)) as Recipe
  return { ...recipe, file: path.resolve(root, recipe.file) }
}

/** Plans the image of a recipe again; `undefined` if its query does not give an image any more. */
export async function planRecipe(session: Session, recipe: Recipe): Promise<PlannedImage | undefined> {
  const { file, index, use } = recipe
  const query = readQuery(recipe.query)
  if (!query.hasDirectives) return planReference(session, { file, query }, use)
  return (await session.planRequest(file, query)).images[index]
}
