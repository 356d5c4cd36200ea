import { createHash } from 'node:crypto'
import path from 'node:path'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { AssetInfoLike, CompilationLike, CompilerLike, SourceLike } from './compiler.ts'
import type { ImageBuild } from './image-build.ts'

/**
 * Pages and stylesheets that offer images in several types: the assets are changed when minifiers have done their work
 * and pages are there, before the bundler makes the final hashes, which therefore are those of what is written.
 * @param isServed whether a dev server asked for the build: it shows images in their own type, which take no encoding
 *   twice.
 */
export function offerInWebpack(compiler: CompilerLike, build: ImageBuild, isServed: boolean): void {
  const { session } = build
  if (!session.alternatives.isWanted || isServed) return
  const { Compilation, sources } = compiler.webpack
  const sourceOf = (data: Uint8Array): SourceLike =>
    new sources.RawSource(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 1
    compilation.hooks.processAssets.tapPromise({ name: PLUGIN_NAME, stage }, async (assets) => {
      if (compilation.errors.length > 0 || build.isLazy) return
      const { publicPath } = compiler.options.output
      await offerAlternatives(
        session,
        {
          base: typeof publicPath === 'string' && publicPath !== 'auto' && !publicPath.includes('[') ? publicPath : '',
          names: Object.keys(assets),
          read: (name) => compilation.getAsset(name)?.source.buffer(),
          // The source is text, as the bundler looks for no hashes in bytes.
          write: (name, text) => compilation.updateAsset(name, new sources.RawSource(text), (info) => info),
          mayChangeRules: (name) => isNamedAfterwards(compilation.getAsset(name)?.info ?? {}, compiler),
          emit(image, beside) {
            const { name, info } = placeOf(compilation, image, beside)
            if (!compilation.getAsset(name)) compilation.emitAsset(name, sourceOf(image.data), info)
            return name
          },
        },
        (message) => void compilation.warnings.push(new Error(message)),
      )
    })
  })
}

/** Tells whether no hash of what an asset was before stays in its name. */
function isNamedAfterwards(info: AssetInfoLike, { options }: CompilerLike): boolean {
  const { contenthash = [], chunkhash = [], fullhash = [] } = info
  const isMadeAgain = options.optimization?.realContentHash === true
  return [...(isMadeAgain ? [] : [contenthash].flat()), chunkhash, fullhash].flat().length === 0
}

/** A name like that of the image beside it, with the hash of its own content where that has one. */
function placeOf(
  compilation: CompilationLike,
  { data, name: wanted, planned }: FinishedImage,
  beside: string,
): { name: string; info: AssetInfoLike } {
  const { dir, name: stem } = path.posix.parse(beside)
  const extension = path.extname(wanted)
  const { contenthash, immutable, sourceFilename } = compilation.getAsset(beside)?.info ?? {}
  const hash = [contenthash ?? []].flat().find((each) => each !== '' && stem.includes(each))
  const own = createHash('sha256').update(data).digest('hex')
  const inName = hash === undefined ? undefined : own.slice(0, hash.length).padEnd(hash.length, '0')
  const named = (suffix: string): string =>
    path.posix.join(dir, (inName === undefined ? stem : stem.replace(hash!, inName)) + suffix + extension)
  // `a.png` and `a.jpg` of one folder.
  const known = compilation.getAsset(named(''))
  const isTaken = known !== undefined && known.source.buffer().compare(data) !== 0
  return {
    name: named(isTaken ? `_${path.extname(planned.file).slice(1)}` : ''),
    info: {
      ...(sourceFilename !== undefined && { sourceFilename }),
      ...(inName !== undefined && { contenthash: inName, immutable }),
    },
  }
}
