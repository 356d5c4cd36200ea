import mdx from '@mdx-js/rollup'
import preact from '@preact/preset-vite'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import pixpress from 'unplugin-pixpress/vite'
import { build } from 'vite'
import solid from 'vite-plugin-solid'

const PLUGINS = {
  preact: () => [preact()],
  mdx: () => [mdx()],
  svelte: () => [svelte()],
  solid: () => [solid()],
}

// Each library as it is, and with the one line.
for (const [name, plugins] of Object.entries(PLUGINS)) {
  for (const [folder, ours] of Object.entries({ plain: [], dist: [pixpress({ convert: 'auto' })] })) {
    await build({
      root: name,
      configFile: false,
      logLevel: 'warn',
      plugins: [...plugins(), ...ours],
      build: { outDir: `../${folder}/${name}`, emptyOutDir: true, assetsInlineLimit: 0 },
    })
  }
}
