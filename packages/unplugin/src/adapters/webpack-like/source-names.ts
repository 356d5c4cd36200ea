import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Session } from '../../core/session.ts'
import { relativePath } from '../../core/relative-path.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilerLike } from './compiler.ts'
import { IMAGE_FILE } from './default-rules.ts'

const SOURCE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'jxl'] as const

/**
 * Gives assets of renamed modules their source's real name, which manifests use as key.
 * @param sourceOf The source of the path that a module goes by, where it was named in this process.
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
        const source = sourceOf(file) ?? guessSource(session, file)
        if (source === undefined) continue
        const sourceFilename = relativePath(compiler.context, source)
        compilation.updateAsset(name, asset.source, (info) => ({ ...info, sourceFilename }))
      }
    })
  })
}

/**
 * The only file that can be the source of a name, for modules that the bundler took from its cache without asking: `a.png`
 * of `a.webp` or `a-400.webp`.
 */
function guessSource(session: Session, file: string): string | undefined {
  if (existsSync(file)) return undefined
  const stem = file.slice(0, -path.extname(file).length)
  const [, marked, extension] = /^(.*)_([a-z]+)$/.exec(stem) ?? []
  const stems = [stem, marked ?? stem].flatMap((each) => [each, each.replace(/-\d+(?:-[\da-f]{8})?$|-original$/, '')])
  const candidates = [...new Set(stems)].flatMap((each) =>
    SOURCE_EXTENSIONS.map((candidate) => `${each}.${candidate}`).filter(existsSync),
  )
  const fitting = candidates.filter((each) => session.matches(each))
  return fitting.length === 1 ? fitting[0] : fitting.find((each) => path.extname(each) === `.${extension}`)
}
