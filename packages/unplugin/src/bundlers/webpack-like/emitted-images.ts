import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { PLUGIN_NAME } from './compiler.ts'
import type { AssetInfoLike, CompilationLike, CompilerLike } from './compiler.ts'
import { copiedSource } from './copied-source.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { ImageBuild } from './image-build.ts'

/**
 * Compresses, in place and in their own type, images that come into the build without a module: copied (`public/`), or
 * emitted by another plugin. They are ready before the bundler makes the final hashes.
 *
 * An asset with a source that was not copied comes from a module; those are done, or left alone on purpose.
 */
export function compressEmittedImages(compiler: CompilerLike, build: ImageBuild): void {
  const { session } = build
  if (!session.options.publicDir) return
  const { Compilation, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (compilation) => {
    session.expectCopies(path.join(compiler.context, 'public'), compiler.outputPath)
    const seen = new Set<string>()
    const compressAll = async (assets: Readonly<Record<string, unknown>>): Promise<void> => {
      // Modules that failed emit the text of the error. And a dev server is not to wait for what is not asked
      // for.
      if (compilation.errors.length > 0 || build.isLazy) return
      const names = Object.keys(assets).filter((name) => !seen.has(name))
      await Promise.all(
        names.map(async (name) => {
          seen.add(name)
          try {
            const data = await compressed(compilation, name)
            if (data !== undefined) compilation.updateAsset(name, new sources.RawSource(data), (info) => info)
          } catch (error) {
            compilation.errors.push(describeImageError(error))
          }
        }),
      )
    }
    const { processAssets } = compilation.hooks
    const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE
    processAssets.tapPromise({ name: PLUGIN_NAME, stage, additionalAssets: true }, compressAll)
    // Icons come with the pages, when the rest is done. Rspack does not call for them as webpack does.
    const last = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 1
    processAssets.tapPromise({ name: PLUGIN_NAME, stage: last }, compressAll)
  })

  async function compressed(compilation: CompilationLike, name: string): Promise<Buffer | undefined> {
    if (!IMAGE_FILE.test(name.replace(/\?.*$/, ''))) return undefined
    const asset = compilation.getAsset(name)
    if (asset === undefined || isOfModule(asset.info)) return undefined
    const source = asset.source.buffer()
    const isCopied = asset.info.copied === true
    const named = asset.info.sourceFilename ?? name.replace(/\?.*$/, '')
    const { context } = compiler
    const file = isCopied ? copiedSource(context, named, source.length) : path.resolve(context, named)
    if (!session.matches(file)) return undefined
    // An image that a page offers beside one without a module has none either.
    if (!isCopied && (await session.isSettled(source))) return undefined
    // Nobody knows who reads a file that is copied. One that a plugin or loader has emitted is an image of a page.
    const use = isCopied ? 'public' : 'typed'
    const warn = (message: string): void => void compilation.warnings.push(new Error(message))
    const { data } = await session.finish(session.planBytes(file, source, use), warn)
    return data.length < source.length ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : undefined
  }
}

/** One sentence for people where it is about an image, so without a stack. */
function describeImageError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error instanceof PixpressError ? Object.assign(new Error(error.message), { hideStack: true }) : error
}

/** Tells whether an asset comes from a module. */
export function isOfModule({ sourceFilename, copied }: AssetInfoLike): boolean {
  return sourceFilename !== undefined && copied !== true
}
