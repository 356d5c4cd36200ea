import { megabytes, percent, ratio, seconds, table, wholeMegabytes } from './markdown.mjs'

const TITLES = { vite: 'Vite', webpack: 'webpack' }

/** Name of a tool in a table; `bundler` is also the name of its package. */
const label = (tool) => (tool === 'none' ? 'no plugin' : tool)

/** The whole result as Markdown, without a heading. */
export function renderResult({ date, runs, images, machine, results, notes = [] }) {
  const parts = [describe({ date, runs, images, machine })]
  for (const bundler of new Set(results.map((result) => result.bundler))) {
    const rows = results.filter((result) => result.bundler === bundler)
    parts.push(`**${TITLES[bundler]} ${machine.versions[bundler]}**`, timeTable(rows), outputTable(rows))
  }
  return [...parts, ...notes].join('\n\n')
}

function describe({ date, runs, images, machine }) {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date}, ${images} images, median of ${runs} ${runs === 1 ? 'run' : 'runs'}.`,
    `${machine.cpu}, ${machine.cores} cores, ${(machine.memory / 2 ** 30).toFixed(0)} GiB, ${machine.system}, Node ${machine.node};`,
    `${versions.join(', ')}.`,
  ].join('\n')
}

function timeTable(results) {
  const [base] = results
  const rows = results.flatMap(({ tool, cold, warm }) =>
    [
      ['cold', cold, base.cold],
      ['warm', warm, base.warm],
    ].map(([cache, build, without]) => [
      label(tool),
      cache,
      seconds(build.wall),
      ratio(build.wall, without.wall),
      seconds(build.cpu),
      ratio(build.cpu, without.cpu),
      wholeMegabytes(build.memory),
      ratio(build.memory, without.memory),
    ]),
  )
  return table(['build', 'cache', 'wall', 'wall ×', 'CPU', 'CPU ×', 'peak memory', 'memory ×'], rows)
}

function outputTable(results) {
  const [{ output: base }] = results
  const judged = base.mean !== undefined
  const head = ['images', 'emitted', 'of no plugin', 'larger than source', 'changed when warm']
  const rows = results.map(({ tool, output }) => [
    label(tool),
    megabytes(output.bytes),
    percent(output.bytes, base.bytes),
    String(output.larger),
    String(output.changed),
    ...(judged
      ? [String(output.damaged.length), output.mean.toFixed(1), output.low.toFixed(1), output.min.toFixed(1)]
      : []),
  ])
  return table(judged ? [...head, 'damaged', 'mean score', '5 % below', 'lowest'] : head, rows)
}
