import { megabytes, percent, table } from '../report/markdown.mjs'

const NAMES = {
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/jxl': 'JPEG XL',
  'image/png': 'PNG',
}

/** Largest share of a tool's bytes that pixpress may need at the same worst score. */
const TARGETS = { 'image/jpeg': 0.75, 'image/webp': 0.75, 'image/avif': 0.8, 'image/png': 1 }
const LOSSLESS_TARGET = 1.02

/** Maximum number of pictures that are named per comparison, among those for which pixpress needs more bytes. */
const NAMED = 3

const sum = (values) => values.reduce((total, value) => total + value, 0)
const share = (ours, theirs) => (ours / theirs).toFixed(3)

/** The whole result as Markdown, without a heading. */
export function renderQuality({ date, machine, promise, pictures, pixels, results, lossless, missing }) {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`)
  const about = [
    `${date}, ${pictures} pictures of ${(pixels / 1e6).toFixed(1)} megapixels together, promise ${promise}.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}; ${versions.join(', ')}.`,
    ...(missing.length > 0 ? [`Not installed, so not compared: ${missing.join(', ')}.`] : []),
  ]
  return [
    about.join('\n'),
    '**As they come**',
    usualTable(results),
    '**At the same worst score**',
    equalTable(results),
    ...(lossless.length > 1 ? ['**PNG without loss**', losslessTable(lossless)] : []),
    ...losses(results),
  ].join('\n\n')
}

function usualTable(results) {
  const rows = results.flatMap(({ type, own, peers, sources }) =>
    [{ tool: 'pixpress', setting: 'promise', images: own }, ...peers].map(({ tool, setting, images }) => {
      const scores = images.map(({ score }) => score)
      const bytes = sum(images.map((image) => image.bytes))
      return [
        NAMES[type],
        tool,
        String(setting),
        String(images.length),
        megabytes(bytes),
        percent(bytes, sum(sources)),
        (sum(scores) / scores.length).toFixed(1),
        Math.min(...scores).toFixed(1),
      ]
    }),
  )
  return table(['type', 'tool', 'setting', 'pictures', 'bytes', 'of PNG', 'mean score', 'lowest'], rows)
}

function equalTable(results) {
  const rows = results.flatMap(({ type, own, equal }) =>
    equal.map(({ tool, share: kept, quality, both, unreachable, images }) => {
      const ours = sum(both.map((index) => own[index].bytes))
      const theirs = sum(images.map(({ bytes }) => bytes))
      const target = kept === 1 ? TARGETS[type] : undefined
      return [
        NAMES[type],
        tool,
        kept === 1 ? 'all' : `${100 * kept} %`,
        String(quality),
        String(both.length),
        String(unreachable),
        megabytes(theirs),
        megabytes(ours),
        share(ours, theirs),
        target === undefined ? '–' : `≤ ${target}: ${ours / theirs <= target ? 'kept' : '**missed**'}`,
      ]
    }),
  )
  const head = [
    'type',
    'tool',
    'kept for',
    'fixed quality',
    'pictures',
    'out of its reach',
    'its bytes',
    'pixpress',
    'share',
    'target',
  ]
  return table(head, rows)
}

function losslessTable([own, ...others]) {
  const ours = sum(own.bytes)
  const rows = others.map(({ tool, bytes }) => [
    tool,
    megabytes(sum(bytes)),
    megabytes(ours),
    share(ours, sum(bytes)),
    `≤ ${LOSSLESS_TARGET}: ${ours / sum(bytes) <= LOSSLESS_TARGET ? 'kept' : '**missed**'}`,
  ])
  return table(['tool', 'its bytes', 'pixpress', 'share', 'target'], rows)
}

/** Lists the pictures for which a tool at its fixed quality needs fewer bytes than pixpress. */
function losses(results) {
  const lines = results.flatMap(({ type, names, own, equal }) =>
    equal.flatMap(({ tool, share: kept, both, images }) => {
      if (kept < 1) return []
      const worse = both
        .map((index, at) => ({
          name: names[index],
          factor: own[index].bytes / images[at].bytes,
          score: images[at].score,
        }))
        .filter(({ factor }) => factor > 1)
        .sort((a, b) => b.factor - a.factor)
      if (worse.length === 0) return []
      const named = worse
        .slice(0, NAMED)
        .map(({ name, factor, score }) => `${name} ${factor.toFixed(2)}× (there ${score.toFixed(1)})`)
      return [`- ${NAMES[type]}: ${worse.length} of ${both.length} are smaller with ${tool}: ${named.join(', ')}`]
    }),
  )
  return lines.length === 0 ? [] : [lines.join('\n')]
}
