import path from 'node:path'
import { planReference } from '../../core/image-module.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { ImageUse, PlannedImage, Session } from '../../core/session.ts'

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
 * The bytes that stand in for an image in the memory of Farm's dev server until a browser asks for it. They say all there
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

export async function planRecipe(session: Session, recipe: Recipe): Promise<PlannedImage | undefined> {
  const { file, query, index, use } = recipe
  const parsed = session.parseQuery(query)
  if (!parsed.hasDirectives) return planReference(session, recipe, use)
  return (await session.planRequest(file, parsed)).images[index]
}
