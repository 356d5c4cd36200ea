import type { Loader } from 'esbuild'
import type { ReferenceQuery } from '../../modules/reference.ts'
import type { FinishedImage, PlannedRequest } from '../../session/plan/images.ts'

/** Describes what the plugin hands to itself through esbuild's `pluginData`. */
export type OwnData =
  /** A path is being resolved on this plugin's behalf. */
  | { readonly kind: 'resolving' }
  /** The image that a path stands for. */
  | { readonly kind: 'image'; readonly image: FinishedImage; readonly loader: Loader }
  /** The URL of an image in a store. */
  | { readonly kind: 'stored'; readonly url: string; readonly file?: string }
  /** The request that a module of directives answers. */
  | { readonly kind: 'module'; readonly file: string; readonly planned: PlannedRequest; readonly query: ReferenceQuery }
  /** The images that a module imports by number. */
  | { readonly kind: 'imports'; readonly images: readonly ImportedImage[] }

/** An image with the query it was asked for. */
export interface ImportedImage {
  readonly image: FinishedImage
  readonly query: ReferenceQuery
}

/** A key of its own beside other plugins' data. */
const OWN = Symbol('pixpress')

/** Adds this plugin's data to that of other plugins. */
export function withOwnData(data: OwnData, others?: unknown): object {
  return { ...(typeof others === 'object' ? others : undefined), [OWN]: data }
}

/** Returns this plugin's data; `undefined` if there is none. */
export function ownDataOf(pluginData: unknown): OwnData | undefined {
  return typeof pluginData === 'object' && pluginData !== null
    ? (pluginData as { readonly [OWN]?: OwnData })[OWN]
    : undefined
}
