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
    parts.push(`**${TITLES[bundler]}**`, bytesTable(builds), placesTable(builds))
  }
  return parts.join('\n\n')
}

/** Bytes of all images by what the browser reads. */
function bytesTable(builds) {
  const base = builds[0].loads.neither.all
  const rows = builds.map(({ title, loads: { avif, webp, neither } }) => [
    title,
    ...[avif, webp, neither].flatMap(({ all }) => [megabytes(all), percent(all, base)]),
  ])
  return table(
    ['loaded by a browser with', 'AVIF', 'of no plugin', 'WebP', 'of no plugin', 'neither', 'of no plugin'],
    rows,
  )
}

/** Where a browser that reads everything saves. */
function placesTable(builds) {
  const places = ['page', 'stylesheet', 'script']
  const base = builds[0].loads.avif
  const rows = builds.map(({ title, loads: { avif } }) => [
    title,
    ...places.map((place) => percent(avif[place], base[place])),
  ])
  return table(['of no plugin, with AVIF', 'in pages', 'in stylesheets', 'in scripts'], rows)
}
