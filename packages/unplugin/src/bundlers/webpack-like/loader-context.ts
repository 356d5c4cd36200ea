import type { ImageUse } from '../../references/types.ts'
import { PixpressError } from '@pixpress/core'
import { relativePath } from '../../base/paths.ts'
import type { RunningLoader } from './file-loaders.ts'
import type { ImageBuild } from './image-build.ts'

/** Holds the builds of a loader context, by identity. Registered, as a bundler may load this module a second time. */
const BUILDS: unique symbol = Symbol.for('pixpress.builds') as typeof BUILDS

/** Describes what the loaders use of webpack's and Rspack's loader contexts, which are the same in this. */
export interface ImageLoaderContext {
  /** Absolute. The name after which other loaders call the module's content. */
  resourcePath: string
  /** With its `?`, or empty. */
  readonly resourceQuery: string
  /** The path with query and fragment, or a whole data URL. */
  readonly resource?: string
  /** The module that is built. */
  readonly _module?: { readonly type?: string; readonly matchResource?: string | undefined } | undefined
  /** All loaders of the module, this one among them; the last one runs first. */
  readonly loaders?: readonly RunningLoader[]
  readonly loaderIndex?: number
  getOptions(): ImageLoaderOptions
  emitWarning(warning: Error): void
  addDependency(file: string): void
  async(): (error: unknown, content?: string | Uint8Array, map?: unknown, meta?: unknown) => void
  [BUILDS]?: Map<string, ImageBuild>
}

/** Strings, as the loader's request is part of the module's identity. */
export interface ImageLoaderOptions {
  /** The identity of the build: see `moduleIdentity`. */
  readonly build: string
  readonly use?: Exclude<ImageUse, 'content'>
  /** A loader follows that emits the bytes under the source's name: see `FILE_LOADER`. */
  readonly emits?: 'true'
  /** The image is served under this identity when it is asked for; the module's bytes are not used. */
  readonly lazy?: string
  /** A URL is expected, not a module. */
  readonly url?: 'true'
}

/** Makes a build known to the loaders of a compilation, child compilations included. */
export function attachBuild(context: object, build: ImageBuild): void {
  const holder = context as ImageLoaderContext
  holder[BUILDS] ??= new Map()
  holder[BUILDS].set(build.identity, build)
}

/** @throws PixpressError `INTERNAL` in a process or thread that the plugin does not run in */
export function attachedBuild(context: ImageLoaderContext): ImageBuild {
  const { build: identity } = context.getOptions()
  const build = context[BUILDS]?.get(identity)
  if (build === undefined) {
    throw new PixpressError(
      'INTERNAL',
      'The loader runs without its plugin. It cannot run in the threads of thread-loader; images need none, as they are encoded in threads anyway.',
    )
  }
  return build
}

/** Warnings of a module: cached with it, so a build from the bundler's cache shows them too. */
export function emitNotice(context: ImageLoaderContext, message: string): void {
  const warning = new Error(message)
  // Bundlers print the stack where there is one, which is of no use to whoever has to repair the image.
  warning.name = 'PixpressWarning'
  delete warning.stack
  context.emitWarning(warning)
}

/**
 * Gives what is thrown for an image or a directive: one sentence that names the reference, for people, so without a
 * stack.
 */
export function describeFailure(
  error: unknown,
  context: Pick<ImageLoaderContext, 'resourcePath' | 'resourceQuery'>,
  root: string,
): unknown {
  if (!(error instanceof PixpressError) || error.code === 'INTERNAL') return error
  const reference = relativePath(root, context.resourcePath) + context.resourceQuery
  const message = error.message.includes(reference) ? error.message : `${reference}: ${error.message}`
  const described = new PixpressError(error.code, message, { file: error.file, cause: error.cause })
  // The bundlers' own sign that the message says it all.
  return Object.assign(described, { hideStack: true })
}
