import { describeMachine } from '../measure/versions.mjs'
import { megabytes, percent, table } from '../report/markdown.mjs'

const TITLES = { vite: 'Vite', webpack: 'webpack' }

const PACKAGES = [
  'unplugin-pixpress',
  'sharp',
  'vite',
  'webpack',
  'vite-plugin-image-optimizer',
  'vite-imagetools',
  'image-minimizer-webpack-plugin',
]

/** The result as Markdown, without a heading. */
export function renderConvert(results, images) {
  const { versions } = describeMachine(PACKAGES)
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const date = new Date().toISOString().slice(0, 10)
  const parts = [`${date}, ${images} images; ${list.join(', ')}.`]
  for (const bundler of new Set(results.map((result) => result.bundler))) {
    const builds = results.filter((result) => result.bundler === bundler)
    parts.push(`**${TITLES[bundler]}**`, bytesTable(builds))
  }
  return parts.join('\n\n')
}

/** Bytes of all images and by place, and the processor time of the build. */
function bytesTable(builds) {
  const base = builds[0].loads
  const rows = builds.map(({ title, loads, cpu }) => [
    title,
    megabytes(loads.all),
    ...['all', 'page', 'stylesheet', 'script'].map((place) => percent(loads[place], base[place])),
    `${(cpu / 1000).toFixed(1)} s`,
  ])
  return table(
    ['loaded by a browser', 'bytes', 'of no plugin', 'in pages', 'in stylesheets', 'in scripts', 'processor'],
    rows,
  )
}
