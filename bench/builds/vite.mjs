import path from 'node:path'
import { build } from 'vite'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'
import { IMAGE_FOLDER } from './output.mjs'

/** Builds the project in the current folder into `dist/`: `node vite.mjs <tool> [<its options as JSON>]`. */
const PLUGINS = {
  none: async () => [],
  pixpress: async (settings) => {
    const { default: pixpress } = await import('unplugin-pixpress/vite')
    return pixpress(settings)
  },
  'vite-plugin-image-optimizer': async (settings) => {
    const { ViteImageOptimizer } = await import('vite-plugin-image-optimizer')
    return ViteImageOptimizer(settings)
  },
  'vite-imagetools': async () => {
    const { imagetools } = await import('vite-imagetools')
    // imagetools ignores imports without a directive. This default asks for the image's own type, with the encoder's
    // defaults. With `jpg`, it names the same image .jpg in a cold build and .jpeg in a warm one.
    return imagetools({
      defaultDirectives: ({ pathname }) =>
        new URLSearchParams({ format: path.extname(pathname).slice(1).replace(/^jpg$/, 'jpeg') }),
    })
  },
}

reportUsageAtExit()
const [tool, settings] = process.argv.slice(2)
await build({
  root: process.cwd(),
  configFile: false,
  logLevel: 'warn',
  plugins: [await PLUGINS[tool](settings && JSON.parse(settings))],
  build: {
    // Every image becomes a file, because inlined ones would be missing from the sums.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        assetFileNames: ({ names }) =>
          names.some((name) => /\.(?:css|html)$/.test(name))
            ? 'assets/[name].[hash][extname]'
            : `${IMAGE_FOLDER}/[name].[hash][extname]`,
      },
    },
  },
})
