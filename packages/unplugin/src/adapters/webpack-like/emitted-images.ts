import path from 'node:path'
import type { Session } from '../../core/session.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { AssetInfoLike, CompilationLike, CompilerLike } from './compiler.ts'
import { IMAGE_FILE } from './default-rules.ts'

/**
 * Compresses, in place and in their own type, images that come into the build without a module: copied (`public/`), or
 * emitted by another plugin. They are ready before the bundler makes the final hashes, so hashed names stay right.
 *
 * An asset with a source that was not copied comes from a module; those are done, or left alone on purpose.
 */
export function compressEmittedImages(compiler: CompilerLike, session: Session): void {
  if (!session.options.publicDir) return
  const { Compilation, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE
    compilation.hooks.processAssets.tapPromise({ name: PLUGIN_NAME, stage, additionalAssets: true }, async (assets) => {
      await Promise.all(
        Object.keys(assets).map(async (name) => {
          const data = await compressed(compilation, name)
          if (data !== undefined) compilation.updateAsset(name, new sources.RawSource(data), (info) => info)
        }),
      )
    })
  })

  async function compressed(compilation: CompilationLike, name: string): Promise<Buffer | undefined> {
    if (!IMAGE_FILE.test(name.replace(/\?.*$/, ''))) return undefined
    const asset = compilation.getAsset(name)
    if (asset === undefined || isOfModule(asset.info)) return undefined
    const file = path.resolve(compiler.context, asset.info.sourceFilename ?? name.replace(/\?.*$/, ''))
    if (!session.matches(file)) return undefined
    const source = asset.source.buffer()
    const warn = (message: string): void => void compilation.warnings.push(new Error(message))
    const { data } = await session.finish(session.planBytes(file, source, 'public'), warn)
    return data.length < source.length ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : undefined
  }
}

function isOfModule({ sourceFilename, copied }: AssetInfoLike): boolean {
  return sourceFilename !== undefined && copied !== true
}
