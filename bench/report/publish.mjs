import { writeFile } from 'node:fs/promises'
import { describeMachine } from '../measure/versions.mjs'
import { updateReadme } from './readme.mjs'
import { renderResult } from './tables.mjs'

/** Lists every package that influences the figures. */
function packagesOf(results) {
  const bundlers = results.map(({ bundler }) => bundler)
  const tools = results.map(({ tool }) => tool).filter((tool) => tool !== 'none' && tool !== 'pixpress')
  return [...new Set(['unplugin-pixpress', 'sharp', 'svgo', ...bundlers, ...tools])]
}

/**
 * Writes a benchmark's result to standard output as Markdown and, if the options ask for it, to a JSON file and the
 * README.
 */
export async function publish({ name, runs, images, results, notes, options }) {
  const machine = describeMachine(packagesOf(results))
  const date = new Date().toISOString().slice(0, 10)
  const result = { version: 1, benchmark: name, date, runs, images, machine, results, notes }
  const markdown = renderResult(result)
  console.log(markdown)
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  if (options.update) await updateReadme(name, markdown)
}
