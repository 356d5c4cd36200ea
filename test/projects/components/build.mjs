import { readFile, writeFile } from 'node:fs/promises'
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
  solid: () => [solid({ ssr: true })],
}

/** Entries of those that a server renders. */
const SERVERS = { svelte: 'src/server.js', solid: 'src/server.jsx' }

// Each library as it is, and with the one line. The server is built first.
for (const [name, plugins] of Object.entries(PLUGINS)) {
  for (const [folder, ours] of Object.entries({ plain: () => [], dist: () => [pixpress({ convert: 'auto' })] })) {
    const run = (outDir, settings) =>
      build({
        root: name,
        configFile: false,
        logLevel: 'warn',
        plugins: [...plugins(), ...ours()],
        build: { outDir: `../${outDir}/${name}`, emptyOutDir: true, assetsInlineLimit: 0, ...settings },
      })
    const ssr = SERVERS[name]
    if (ssr !== undefined)
      await run(`${folder}-server`, { ssr, rollupOptions: { output: { entryFileNames: 'server.mjs' } } })
    await run(folder)
    if (ssr === undefined) continue
    const { html, head } = await import(`./${folder}-server/${name}/server.mjs`)
    const file = `${folder}/${name}/index.html`
    const page = await readFile(file, 'utf8')
    await writeFile(
      file,
      page.replace('<!--app-->', () => html()).replace('<!--head-->', () => head),
    )
  }
}
