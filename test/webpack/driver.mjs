// Runs inside the projects of the tests, with webpack or Rspack.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The bundler, its plugin to extract CSS, and ours. */
export async function load(name) {
  const { default: pixpress } = await import(`unplugin-pixpress/${name}`)
  if (name === 'rspack') {
    const { rspack } = await import('@rspack/core')
    return { name, bundler: rspack, ExtractCss: rspack.CssExtractRspackPlugin, pixpress }
  }
  const { default: bundler } = await import('webpack')
  const { default: ExtractCss } = await import('mini-css-extract-plugin')
  return { name, bundler, ExtractCss, pixpress }
}

export function configuration({ ExtractCss, pixpress }, options, config = {}) {
  const root = config.context ?? process.cwd()
  const { plugins = [], rules = [], output, ...others } = config
  return {
    mode: 'production',
    devtool: false,
    context: root,
    entry: './src/main.js',
    optimization: { minimize: false },
    output: { path: path.join(root, 'dist'), publicPath: '/', clean: true, ...output },
    module: { rules: [{ test: /\.css$/, use: [ExtractCss.loader, 'css-loader'], type: 'javascript/auto' }, ...rules] },
    plugins: [pixpress({ report: false, ...options }), new ExtractCss({ filename: '[name].css' }), ...plugins],
    infrastructureLogging: { level: 'error' },
    ...others,
  }
}

export function run(compiler) {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close((closing) => (error || closing ? reject(error ?? closing) : resolve(summary(stats))))
    })
  })
}

export function summary(stats) {
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
  const all = stats.stats ?? [stats]
  return {
    errors: errors.map(({ moduleName, message }) => `${moduleName ?? ''}: ${message}`),
    warnings: warnings.map(({ message }) => message),
    assets: all.flatMap(({ compilation }) =>
      compilation.getAssets().map(({ name, info }) => ({ name, sourceFilename: info.sourceFilename })),
    ),
  }
}

/** Returns the value that the entry leaves in `globalThis.result`. */
export async function evaluate(file) {
  globalThis.document = {
    baseURI: 'http://localhost/',
    currentScript: { tagName: 'SCRIPT', src: 'http://localhost/scripts/main.js' },
  }
  globalThis.self = globalThis
  await import(pathToFileURL(path.resolve(file)).href)
  return globalThis.result
}

export async function until(condition, what) {
  for (let tries = 0; tries < 400; tries++) {
    const value = await condition()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`Waited in vain for ${what}.`)
}
