import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Operations } from '@pixpress/core'
import type { ImageUse } from '../references/types.ts'
import type { FinishedImage, Warn } from './images.ts'
import { sweepLeastUsed, touch } from './least-used.ts'

/** What made an image of the output, so that it can be made again in another type. */
export interface Recipe {
  /** The planned image's. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  readonly use: ImageUse
  /** The operations that directives asked for; absent where the options alone decide. */
  readonly extra?: Operations
}

/** An image of the output in its own type, and those that can be offered before it. */
export interface Offer {
  readonly own: FinishedImage
  /** The preferred first, each smaller than what comes after it, the own type last; empty where there is none. */
  readonly others: readonly FinishedImage[]
  /** Why there is none, as a sentence. */
  readonly reason?: string
}

/** Finds out, by the bytes of an image in the output, what other types can be offered beside it. */
export interface Besides {
  /** Whether anything is to be offered at all: the options have `convert` with a `fallback`. */
  readonly isWanted: boolean
  /**
   * Whether a bundler's plugin offers others in stylesheets that another tool hands to `unplugin-pixpress/postcss`; such a plugin
   * sets it. Default: `false`
   */
  convertsStylesheets: boolean
  /** Notes an image that goes into the output and may get others beside it. */
  add(recipe: Recipe, data: Uint8Array): void
  /** The identity of an image of the output; `undefined` as for `of`. Encodes nothing. */
  idOf(data: Uint8Array): Promise<string | undefined>
  /** The image itself, as it was made; `undefined` as for `of`. Makes no other type of it. */
  own(data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined>
  /** `undefined` for bytes that are none of this project's, or are meant to be as they are. */
  of(data: Uint8Array, warn: Warn): Promise<Offer | undefined>
  /**
   * The same image in the one type that every browser of the project reads, for a place where nothing can stand beside it;
   * `undefined` as for `of`.
   */
  alone(data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined>
  /** Removes recipes of images that were not in the output for longest, where there are very many. */
  sweep(): Promise<void>
}

/** Encode the image of a recipe; `undefined` where the source is gone. */
interface Makers {
  /** In its own type. */
  own(recipe: Recipe, warn: Warn): Promise<FinishedImage | undefined>
  /** What can stand before it. */
  offer(recipe: Recipe, own: FinishedImage, warn: Warn): Promise<Offer>
  /** As one that has to stand alone. */
  alone(recipe: Recipe, warn: Warn): Promise<FinishedImage | undefined>
}

/** Recipes that are kept: a block of the disk each, 4 kB, which makes 40 MB. */
const MOST_RECIPES = 10_000

/**
 * @param folder where recipes are kept for later runs: bundlers with a cache of their own do not ask for an image again
 * @param root the folder that they are relative to
 * @param most recipes that are kept
 */
export function createBesides(
  isWanted: boolean,
  folder: string,
  root: string,
  make: Makers,
  most: number = MOST_RECIPES,
): Besides {
  const recipes = new Map<string, Recipe>()
  const owns = new Map<string, Promise<FinishedImage | undefined>>()
  const offers = new Map<string, Promise<Offer | undefined>>()
  let hasWritten = false

  const recipeOf = async (digest: string): Promise<Recipe | undefined> =>
    recipes.get(digest) ?? read(path.join(folder, `${digest}.json`), root)

  async function findOwn(digest: string, data: Uint8Array, warn: Warn): Promise<FinishedImage | undefined> {
    const recipe = await recipeOf(digest)
    const own = recipe && (await make.own(recipe, warn))
    // A recipe of an earlier run may make other bytes by now.
    return own !== undefined && Buffer.compare(own.data, data) === 0 ? own : undefined
  }

  async function find(digest: string, data: Uint8Array, warn: Warn): Promise<Offer | undefined> {
    const own = await once(owns, digest, () => findOwn(digest, data, warn))
    return own && make.offer((await recipeOf(digest))!, own, warn)
  }

  return {
    isWanted,
    convertsStylesheets: false,
    add(recipe, data) {
      if (!isWanted) return
      const digest = digestOf(data)
      if (recipes.has(digest)) return
      recipes.set(digest, recipe)
      // It may have been refused with an older recipe.
      owns.delete(digest)
      offers.delete(digest)
      try {
        mkdirSync(folder, { recursive: true })
        const text = JSON.stringify({ ...recipe, file: path.relative(root, recipe.file) })
        writeFileSync(path.join(folder, `${digest}.json`), text)
        hasWritten = true
      } catch {
        // Only a bundler that answers from its own cache would have asked for it.
      }
    },
    idOf: async (data) => (isWanted ? (await recipeOf(digestOf(data)))?.id : undefined),
    of(data, warn) {
      if (!isWanted) return Promise.resolve(undefined)
      const digest = digestOf(data)
      return once(offers, digest, () => find(digest, data, warn))
    },
    own(data, warn) {
      if (!isWanted) return Promise.resolve(undefined)
      const digest = digestOf(data)
      return once(owns, digest, () => findOwn(digest, data, warn))
    },
    async alone(data, warn) {
      const recipe = isWanted ? await recipeOf(digestOf(data)) : undefined
      return recipe && make.alone(recipe, warn)
    },
    async sweep() {
      if (!hasWritten) return
      hasWritten = false
      const names = await readdir(folder).catch(() => [])
      await sweepLeastUsed(
        names.map((name) => ({ place: path.join(folder, name), size: 1 })),
        most,
      )
    },
  }
}

/** What is known, or else found, and found again after a failure. */
function once<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find()
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}

async function read(file: string, root: string): Promise<Recipe | undefined> {
  try {
    const recipe = JSON.parse(await readFile(file, 'utf8')) as Recipe
    await touch(file)
    return { ...recipe, file: path.resolve(root, recipe.file) }
  } catch {
    // Unknown, or cut short: the image stays as it is.
    return undefined
  }
}

const digestOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex').slice(0, 32)
