import { createHash } from 'node:crypto'
import type { Rolldown } from 'vite'
import type { ViteProject } from './project.ts'

/** The part of a hook's context that emitting needs. */
export type ImageEmitter = Pick<Rolldown.PluginContext, 'emitFile'>

/** An image as the bundler gets it, with a name that it completes or a final one. */
interface EmittedImage {
  readonly source: Uint8Array
  readonly name?: string
  readonly fileName?: string
  readonly originalFileName?: string
}

/**
 * Puts an image of this package into the output. Every one goes through here, as it has to be noted: what is not would
 * be taken for an image of another plugin, and worked on once more.
 * @returns the bundler's reference of the file
 */
export function emitImage(
  { emitted }: Pick<ViteProject, 'emitted'>,
  context: ImageEmitter,
  image: EmittedImage,
): string {
  emitted.add(digestOf(image.source))
  return context.emitFile({ type: 'asset', ...image })
}

/** Tells whether an asset of the output was emitted here. Bundlers hand out copies of the bytes that they got. */
export const isEmittedHere = ({ emitted }: Pick<ViteProject, 'emitted'>, source: Uint8Array): boolean =>
  emitted.has(digestOf(source))

const digestOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('base64url')
