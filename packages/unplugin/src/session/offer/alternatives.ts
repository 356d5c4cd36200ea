import type { FinishedImage, Warn } from '../plan/images.ts'
import { openRecipes, outputDigest } from './saved-recipes.ts'
import type { RecipeFolder, SavedRecipe } from './saved-recipes.ts'

/** An image of the output in its own type, and its alternatives. */
export interface ImageAlternatives {
  readonly own: FinishedImage
  /** The preferred first, each smaller than the next and than the own type, which comes last; may be empty. */
  readonly others: readonly FinishedImage[]
  /** Says in a sentence why there are none. */
  readonly reason?: string
}

/** Finds, by the bytes of an image of the output, the types that pages and stylesheets can offer it in. */
export interface Alternatives {
  /** Tells whether anything is offered at all: the options have `convert` with a `fallback`. */
  readonly isWanted: boolean
  /**
   * Tells whether a bundler's plugin offers alternatives in stylesheets that another tool hands to
   * `unplugin-pixpress/postcss`; such a plugin sets it. Default: `false`
   */
  offersInStylesheets: boolean
  /** Notes an image that goes into the output and may get alternatives. */
  add(recipe: SavedRecipe, data: Uint8Array): void
  /** Gives the identity of an image of the output; `undefined` as for `of`. Encodes nothing. */
  idOf(data: Uint8Array): Promise<string | undefined>
  /** Gives the image itself, as it was made; `undefined` as for `of`. Makes no other type of it. */
  own(data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined>
  /** Makes the alternatives; `undefined` for bytes that are none of this project's, or are meant to be as they are. */
  of(data: Uint8Array, warn: Warn): Promise<ImageAlternatives | undefined>
  /**
   * Makes the same image in the one type that every browser of the project reads, for a place that can offer no
   * alternatives; `undefined` as for `of`.
   */
  alone(data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined>
  /** Removes recipes of images that were not in the output for longest, where there are very many. */
  sweep(): Promise<void>
}

/** Functions that make the image of a recipe; they give `undefined` where the source is gone. */
export interface AlternativeMakers {
  /** Makes it in its own type. */
  own(recipe: SavedRecipe, warn: Warn): Promise<FinishedImage | undefined>
  /** Makes its alternatives. */
  others(recipe: SavedRecipe, own: FinishedImage, warn: Warn): Promise<ImageAlternatives>
  /** Makes it as one that has to stand alone. */
  alone(recipe: SavedRecipe, warn: Warn): Promise<FinishedImage | undefined>
}

/** Makes the finder of alternatives of a session. */
export function createAlternatives(
  { isWanted, ...place }: RecipeFolder & { readonly isWanted: boolean },
  make: AlternativeMakers,
): Alternatives {
  const recipes = openRecipes(place)
  const owns = new Map<string, Promise<FinishedImage | undefined>>()
  const found = new Map<string, Promise<ImageAlternatives | undefined>>()

  async function findOwn(digest: string, data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined> {
    const recipe = await recipes.find(digest)
    const own = recipe && (await make.own(recipe, warn))
    // A recipe of an earlier run may make other bytes by now.
    return own !== undefined && Buffer.compare(own.data, data) === 0 ? own : undefined
  }

  async function find(digest: string, data: Uint8Array, warn: Warn): Promise<ImageAlternatives | undefined> {
    const own = await once(owns, digest, () => findOwn(digest, data, warn))
    return own && make.others((await recipes.find(digest))!, own, warn)
  }

  return {
    isWanted,
    offersInStylesheets: false,
    add(recipe, data) {
      const digest = isWanted ? outputDigest(data) : ''
      if (!isWanted || !recipes.add(recipe, digest)) return
      // The image may have been refused with an older recipe.
      owns.delete(digest)
      found.delete(digest)
    },
    idOf: async (data) => (isWanted ? (await recipes.find(outputDigest(data)))?.id : undefined),
    async of(data, warn) {
      const digest = outputDigest(data)
      return isWanted ? once(found, digest, () => find(digest, data, warn)) : undefined
    },
    async own(data, warn) {
      const digest = outputDigest(data)
      return isWanted ? once(owns, digest, () => findOwn(digest, data, warn)) : undefined
    },
    async alone(data, warn) {
      const recipe = isWanted ? await recipes.find(outputDigest(data)) : undefined
      return recipe && make.alone(recipe, warn)
    },
    sweep: recipes.sweep,
  }
}

/** Gives what is known, or else finds it; after a failure it is looked for again. */
function once<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find()
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}
