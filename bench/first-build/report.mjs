import { median } from '../measure/benchmark.mjs'
import { describeMachine } from '../measure/versions.mjs'
import { megabytes, percent, seconds, table, wholeMegabytes } from '../report/markdown.mjs'

const PACKAGES = ['sharp', 'vite', 'vite-plugin-image-optimizer']

/** @param judged rows with what `judgeRow` gave of them */
export function renderFirstBuild(judged, results, runs) {
  const { cpu, cores, system, node, versions } = describeMachine(PACKAGES)
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const verdicts = judged.map(({ title, show, bound, aim, value, kept, reached, problems }) => [
    title,
    show(value),
    show(bound),
    show(aim),
    [kept ? (reached ? 'aim reached' : 'kept') : '**broken**', ...problems].join('; '),
  ])
  return [
    `${new Date().toISOString().slice(0, 10)}, ${runs === 1 ? '1 run' : `medians of ${runs} runs`}, ${cpu}, ${cores} cores, ${system}, Node ${node}; ${named.join(', ')}.`,
    table(['', 'measured', 'bound', 'aim', 'verdict'], verdicts),
    table(
      ['', 'CPU', 'peak memory', 'bytes', 'of the sources', 'mean score', '5 % below', 'lowest', 'damaged'],
      [...results.values()].map(detail),
    ),
  ].join('\n\n')
}

const score = (value) => value?.toFixed(1) ?? '–'

function detail({ title, runs, output }) {
  const { before, after, lossless, mean, low, min, damaged } = output ?? {}
  return [
    title,
    runs.length === 0 ? '–' : seconds(median(runs.map((run) => run.cpu))),
    runs.length === 0 ? '–' : wholeMegabytes(median(runs.map((run) => run.memory))),
    after === undefined ? '–' : megabytes(after),
    before === undefined ? '–' : percent(after, lossless ?? before),
    score(mean),
    score(low),
    score(min),
    damaged === undefined ? '–' : String(damaged.length),
  ]
}
