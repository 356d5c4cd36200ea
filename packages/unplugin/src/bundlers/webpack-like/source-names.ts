import path from 'node:path'
import { IMAGE_EXTENSIONS, factsOf, typeOfExtension } from '@pixpress/core/internal'
import { isFile } from '../../base/files.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilerLike } from './compiler.ts'
import { IMAGE_FILE } from '../../base/paths.ts'

/** Extensions of what may have become something else. */
const SOURCE_EXTENSIONS = IMAGE_EXTENSIONS.filter((extension) => factsOf(typeOfExtension(extension)!).convertible)

/**
 * Gives assets of renamed modules their source's real name, which manifests use as key.
 * @param sourceOf The source of a module's path, where the module was named in this process.
 */
export function restoreSourceNames(
  compiler: CompilerLike,
  session: Session,
  sourceOf: (file: string) => string | undefined,
): void {
  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (compilation) => {
    const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONS
    compilation.hooks.processAssets.tapPromise({ name: PLUGIN_NAME, stage, additionalAssets: true }, async (assets) => {
      for (const name of Object.keys(assets)) {
        const asset = IMAGE_FILE.test(name.replace(/\?.*$/, '')) ? compilation.getAsset(name) : undefined
        const named = asset?.info.sourceFilename
        if (asset === undefined || named === undefined || asset.info.copied === true) continue
        const file = path.resolve(compiler.context, named.replace(/[?#].*$/, ''))
        const source = sourceOf(file) ?? (await guessSource(session, file))
        if (source === undefined) continue
        const sourceFilename = relativePath(compiler.context, source)
        compilation.updateAsset(name, asset.source, (info) => ({ ...info, sourceFilename }))
      }
    })
  })
}

/**
 * The only file that can be the source of a name, for modules that the bundler took from its cache without asking:
 * `a.png` of `a.webp` or `a-400.webp`.
 */
async function guessSource(session: Session, file: string): Promise<string | undefined> {
  if ((await session.files.stat(file)) !== undefined) return undefined
  const stem = file.slice(0, -path.extname(file).length)
  const [, marked, extension] = /^(.*)_([a-z]+)$/.exec(stem) ?? []
  const stems = [stem, marked ?? stem].flatMap((each) => [each, each.replace(/-\d+(?:-[\da-f]{8})?$|-original$/, '')])
  const candidates = [...new Set(stems)].flatMap((each) =>
    SOURCE_EXTENSIONS.map((candidate) => `${each}.${candidate}`).filter((candidate) => session.matches(candidate)),
  )
  const exist = await Promise.all(candidates.map((candidate) => isFile(session.files, candidate)))
  const fitting = candidates.filter((_, index) => exist[index])
  return fitting.length === 1 ? fitting[0] : fitting.find((each) => path.extname(each) === `.${extension}`)
}
