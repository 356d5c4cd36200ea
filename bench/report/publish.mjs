import { writeFile } from 'node:fs/promises'
import { describeMachine } from '../measure/versions.mjs'
import { updateReadme } from './readme.mjs'
import { renderResult } from './tables.mjs'

/** Packages that are compared or that decide the figures; those of one bundler are left out where it did not run. */
const PACKAGES = {
  both: ['unplugin-pixpress', 'sharp', 'svgo'],
  vite: ['vite', 'vite-plugin-image-optimizer', 'vite-imagetools'],
  webpack: ['webpack', 'image-minimizer-webpack-plugin'],
}

/** Writes a benchmark's result to standard output as Markdown, and where the options say so to a JSON file and the README. */
export async function publish({ name, runs, images, results, notes, options }) {
  const bundlers = [...new Set(results.map(({ bundler }) => bundler))]
  const machine = describeMachine([...PACKAGES.both, ...bundlers.flatMap((bundler) => PACKAGES[bundler])])
  const date = new Date().toISOString().slice(0, 10)
  const result = { version: 1, benchmark: name, date, runs, images, machine, results, notes }
  const markdown = renderResult(result)
  console.log(markdown)
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  if (options.update) await updateReadme(name, markdown)
}
