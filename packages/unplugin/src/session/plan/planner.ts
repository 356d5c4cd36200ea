import { PixpressError, detectType } from '@pixpress/core'
import type { InputType, Operations, ProbeResult } from '@pixpress/core'
import type { Files } from '../../base/files.ts'
import { relativePath } from '../../base/paths.ts'
import { defaultDirectivesFor } from '../../directives/default-directives.ts'
import { placeholdersOf } from '../../directives/placeholders.ts'
import type { ImageQuery } from '../../directives/query.ts'
import type { ImageUse } from '../../references/types.ts'
import type { ResolvedOptions } from '../options/options.ts'
import { focusOf } from './focus.ts'
import type { ImageOperations } from './image-operations.ts'
import { brokenImage, originalImage, workableImage } from './images.ts'
import type { OriginalImage, PlannedImage, PlannedRequest } from './images.ts'
import { createProbe } from './probe.ts'
import type { Probe } from './probe.ts'
import { createRequestReader } from './request.ts'
import type { PlannerParts, RequestSubject } from './request.ts'
import type { DirectiveRequest } from '../../directives/resolve.ts'

/** The answers that planned an image, so that it can be planned again. */
export interface Recipe {
  /** Absolute path of the source. */
  readonly file: string
  readonly use: ImageUse
  /** The operations that directives asked for; absent where the options alone decide. */
  readonly extra?: Operations | undefined
  /** A directive names the type, which may be the source's own: no option changes it. */
  readonly isTyped?: true | undefined
}

/** Recipes by the identity of the planned image. */
export type Recipes = ReadonlyMap<string, Recipe>

/** Gives images their identity. It decodes and encodes nothing. */
export interface Planner {
  readonly recipes: Recipes
  readonly probe: Probe
  /** Plans bytes that are at hand. Never throws for a bad image. */
  planBytes(file: string, source: Uint8Array, use?: ImageUse, extra?: Operations): PlannedImage
  /** The same for an image whose type a directive names. */
  planTyped(file: string, source: Uint8Array, use: ImageUse, extra: Operations): PlannedImage
  /** Reads the directives of an import. @throws PixpressError `INVALID_OPTION` */
  resolve(subject: RequestSubject): Promise<DirectiveRequest>
}

/** Makes the planner of a session. */
export function createPlanner(parts: PlannerParts): Planner {
  const recipes = new Map<string, Recipe>()
  const probe = createProbe(parts.optimizer)

  function planned(recipe: Recipe, source: Uint8Array): PlannedImage {
    const image = planImage(parts, recipe, source)
    const known = recipes.get(image.id)
    const isContent = known?.use === 'content'
    // An image that is an icon and content of a page counts as content, and one whose type not all references name is
    // left to the options.
    if (!isContent) recipes.set(image.id, recipe)
    else if (known.isTyped && !recipe.isTyped) recipes.set(image.id, { ...known, isTyped: undefined })
    return image
  }

  return {
    recipes,
    probe,
    resolve: createRequestReader(parts),
    planBytes: (file, source, use = 'content', extra) => planned({ file, use, extra }, source),
    planTyped: (file, source, use, extra) => planned({ file, use, extra, isTyped: true }, source),
  }
}

function planImage({ options, optimizer, asked }: PlannerParts, recipe: Recipe, source: Uint8Array): PlannedImage {
  const { file, use, extra } = recipe
  const type = detectType(source)
  const usual = (): ImageOperations => asked.of(file, type, use)
  const { operations, ...why } = extra === undefined ? usual() : { operations: withUse(extra, type, usual) }
  try {
    const plan = optimizer.plan(source, operations, { file: relativePath(options.root, file) })
    const { maxWidth, resize } = operations
    const bound = maxWidth !== undefined && resize === undefined ? { maxWidth } : {}
    const named = use === 'typed' || use === 'public' ? { isNamedElsewhere: true as const } : {}
    return { ...workableImage(plan, file, source, extra?.resize !== undefined), ...why, ...bound, ...named }
  } catch (error) {
    if (!(error instanceof PixpressError) || error.code === 'INVALID_OPTION') throw error
    return brokenImage(file, source, error)
  }
}

/** Uses of an image that directives say something about. */
export type RequestUse = 'content' | 'picture'

/** Adds to the operations of directives what the reference of an SVG decides. */
function withUse(extra: Operations, type: InputType | undefined, usual: () => ImageOperations): Operations {
  return type === 'image/svg+xml' ? { ...extra, ...usual().operations } : extra
}

/** Plans images of files that are read by one build. */
export interface FilePlanner {
  plan(file: string, use?: ImageUse, operations?: Operations): Promise<PlannedImage>
  hasDefaults(file: string, query: ImageQuery): Promise<boolean>
  planRequest(file: string, query: ImageQuery, use?: RequestUse): Promise<PlannedRequest>
  planOriginal(file: string): Promise<OriginalImage>
  planned(id: string): Promise<PlannedImage | undefined>
}

/** Makes a planner that reads its sources from `files`. `Session` documents its functions. */
export function planFiles(planner: Planner, { root, defaultDirectives }: ResolvedOptions, files: Files): FilePlanner {
  const plan: FilePlanner['plan'] = async (file, use, operations) =>
    planner.planBytes(file, await files.readFile(file), use, operations)
  return {
    plan,
    async hasDefaults(file, query) {
      const probe = async (): Promise<ProbeResult> =>
        planner.probe(await files.readFile(file), relativePath(root, file))
      const given = defaultDirectivesFor(query, file, defaultDirectives, probe)
      return given.then(
        ({ size }) => size > 0,
        (error: unknown) => {
          // An id that only looks like a file belongs to another plugin.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
          throw error
        },
      )
    },
    async planRequest(file, query, use = 'content') {
      const bytes = await files.readFile(file)
      const shown = relativePath(root, file)
      const source = await planner.probe(bytes, shown)
      const focused = { ...source, ...(await focusOf(files, { file, bytes, header: source, query, shown })) }
      const read = { query, source: focused, file, bytes: () => Promise.resolve(bytes) }
      const request = await planner.resolve(read)
      const shownFirst = placeholdersOf(request)
      const images = request.variants.map(({ operations, format }, index) => {
        const planVariant = format === undefined ? planner.planBytes : planner.planTyped
        const planned = planVariant(file, bytes, use, operations)
        return { ...planned, header: source, isAsked: true as const, ...shownFirst[index] }
      })
      return { request, source, images }
    },
    planOriginal: async (file) => originalImage(file, await files.readFile(file)),
    async planned(id) {
      const recipe = planner.recipes.get(id)
      return recipe === undefined ? undefined : plan(recipe.file, recipe.use, recipe.extra)
    },
  }
}
