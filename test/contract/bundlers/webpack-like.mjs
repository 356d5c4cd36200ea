import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import HtmlWebpackPlugin from 'html-webpack-plugin'

const require = createRequire(import.meta.url)

/** The configuration of webpack and Rspack alike, as a project with CSS files and an HTML template has it. */
export function configuration({ root, outDir, inlineLimit }, { extractCss, plugins }) {
  const page = existsSync(path.join(root, 'index.html'))
  return {
    mode: 'production',
    context: root,
    entry: './src/main.js',
    output: {
      path: outDir,
      clean: true,
      publicPath: '/',
      filename: '[name]-[contenthash].js',
      assetModuleFilename: 'assets/[name]-[hash][ext]',
    },
    module: {
      rules: [
        { test: /\.css$/, use: [extractCss.loader, require.resolve('css-loader')], type: 'javascript/auto' },
        { test: /\.html$/, loader: require.resolve('html-loader') },
        {
          test: /\.(jpe?g|png|webp|avif|gif|svg)$/i,
          oneOf: [
            { resourceQuery: /^\?raw$/, type: 'asset/source' },
            { resourceQuery: /^\?inline$/, type: 'asset/inline' },
            inlineLimit === undefined
              ? { type: 'asset/resource' }
              : { type: 'asset', parser: { dataUrlCondition: { maxSize: inlineLimit } } },
          ],
        },
      ],
    },
    plugins: [
      new extractCss({ filename: '[name]-[contenthash].css' }),
      ...(page ? [new HtmlWebpackPlugin({ template: path.join(root, 'index.html') })] : []),
      ...plugins,
    ],
  }
}

/** Runs a compiler once and closes it. */
export async function compile(compiler, warn) {
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : resolve(result)))
  })
  const { errors, warnings, entrypoints } = stats.toJson({
    all: false,
    errors: true,
    warnings: true,
    entrypoints: true,
  })
  await new Promise((resolve, reject) => {
    compiler.close((error) => (error ? reject(error) : resolve()))
  })
  for (const { message } of warnings) warn(message)
  if (errors.length > 0)
    throw new Error(errors.map(({ message, moduleName }) => `${moduleName ?? ''}: ${message}`).join('\n'))
  const entry = entrypoints.main.assets.map(({ name }) => name).find((name) => name.endsWith('.js'))
  return existsSync(path.join(compiler.options.context, 'index.html')) ? { page: 'index.html' } : { entry }
}
