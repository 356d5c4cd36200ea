import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { sweepLeastUsed, touch } from '../encode/least-used.ts'
import type { Recipe } from '../plan/planner.ts'

/** A recipe with the identity of its planned image, so that an image of the output can be made in another type. */
export interface SavedRecipe extends Recipe {
  readonly id: string
}

/** Recipes by the bytes of the images they made, also those of earlier runs. */
export interface SavedRecipes {
  /** Notes the recipe of an image. @returns whether it was new */
  add(recipe: SavedRecipe, digest: string): boolean
  find(digest: string): Promise<SavedRecipe | undefined>
  /** Removes recipes of images that were not in the output for longest, where there are very many. */
  sweep(): Promise<void>
}

/** Number of recipes that are kept. Each takes a block of the disk, 4 kB, which makes 40 MB. */
const MOST_RECIPES = 10_000

/** A place for recipes. */
export interface RecipeFolder {
  /** Absolute. Bundlers with a cache of their own do not ask for an image again, so recipes outlive a run. */
  readonly folder: string
  /** Absolute: the folder that the files of recipes are relative to. */
  readonly root: string
  /** Number of recipes that are kept. Default: 10,000 */
  readonly most?: number | undefined
}

/** Opens the recipes of a project. */
export function openRecipes({ folder, root, most = MOST_RECIPES }: RecipeFolder): SavedRecipes {
  const known = new Map<string, SavedRecipe>()
  let hasWritten = false
  const fileOf = (digest: string): string => path.join(folder, `${digest}.json`)
  return {
    add(recipe, digest) {
      if (known.has(digest)) return false
      known.set(digest, recipe)
      const file = fileOf(digest)
      const text = JSON.stringify({ ...recipe, file: path.relative(root, recipe.file) })
      if (holds(file, text)) touch(file)
      else hasWritten = written(file, text) || hasWritten
      return true
    },
    find: async (digest) => known.get(digest) ?? read(fileOf(digest), root),
    async sweep() {
      if (!hasWritten) return
      hasWritten = false
      const names = await readdir(folder).catch(() => [])
      const entries = names.map((name) => ({ place: path.join(folder, name), size: 1 }))
      await sweepLeastUsed(entries, most)
    },
  }
}

/** A recipe of an earlier run need not be written again, which takes many times as long as reading it. */
function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}

/** Tells whether it could be written: only a bundler that answers from its own cache would have asked for it. */
function written(file: string, text: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    return true
  } catch {
    return false
  }
}

async function read(file: string, root: string): Promise<SavedRecipe | undefined> {
  try {
    const recipe = JSON.parse(await readFile(file, 'utf8')) as SavedRecipe
    touch(file)
    return { ...recipe, file: path.resolve(root, recipe.file) }
  } catch {
    // An image without a readable recipe stays as it is.
    return undefined
  }
}

/** Digests the bytes of an image of the output: 32 hexadecimal digits. */
export const outputDigest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex').slice(0, 32)
