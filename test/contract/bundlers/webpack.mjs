import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import webpack from 'webpack'
import { drive } from './protocol.mjs'
import { compile, configuration } from './webpack-like.mjs'

/** Adds files before assets are optimised, like copy-webpack-plugin. */
class CopyPublicFiles {
  apply(compiler) {
    const folder = path.join(compiler.context, 'public')
    if (!existsSync(folder)) return
    compiler.hooks.thisCompilation.tap('CopyPublicFiles', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
      compilation.hooks.processAssets.tap({ name: 'CopyPublicFiles', stage }, () => {
        for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue
          const file = path.join(entry.parentPath, entry.name)
          const name = path.relative(folder, file).split(path.sep).join('/')
          compilation.emitAsset(name, new webpack.sources.RawSource(readFileSync(file)), {
            copied: true,
            sourceFilename: path.relative(compiler.context, file).split(path.sep).join('/'),
          })
        }
      })
    })
  }
}

await drive('webpack', (job, warn, pixpress) => {
  const plugins = [pixpress(job.options), new CopyPublicFiles()]
  return compile(webpack(configuration(job, { extractCss: MiniCssExtractPlugin, plugins })), warn)
})
