import { median } from '../measure/benchmark.mjs'
import { percent, ratio, wholeMegabytes } from '../report/markdown.mjs'

/** Points by which a score may lie below the promise because another decoder rounds differently. */
const ROUNDING = 0.1

/**
 * Bytes of the example graphics as a share of the lossless ones, from the time when libimagequant quantized still PNG
 * (commit 57414ef, measured by this script). The share of "today's" refers to it.
 */
const GRAPHICS_BEFORE = 0.282

const share = (value) => percent(value, 1)
const times = (value) => ratio(value, 1)

/** The median over the runs of one's processor time as a multiple of the other's, which ran right before or after. */
const cpu = (one, other) => (of) => median(of(one).runs.map((run, index) => run.cpu / of(other).runs[index].cpu))

const bytes = (name) => (of) => of(name).output.after / of(name).output.before

const lossless = (name) => (of) => of(name).output.after / of(name).output.lossless

const memory = (names) => (of) => Math.max(...names.map((name) => median(of(name).runs.map((run) => run.memory))))

/** The type whose bytes grow most; SVG is the same work at every effort. */
function worstType(of) {
  const [slow, fast] = ['default', 'fast'].map((name) => of(name).output.types)
  return Math.max(...Object.keys(slow).map((type) => fast[type] / slow[type]))
}

/**
 * Rows of the table, with the `bound` that `--check` enforces and the `aim`. Less is better throughout. `promise` is a
 * further condition: the lowest score of the build `of` has to reach it, with nothing damaged.
 */
export const ROWS = [
  {
    name: 'site',
    title: 'site: CPU ÷ vite-plugin-image-optimizer',
    needs: ['peer', 'default'],
    figure: cpu('default', 'peer'),
    show: times,
    bound: 2.3,
    aim: 1.9,
  },
  {
    name: 'site-fast',
    title: 'site, `fast`: CPU ÷ vite-plugin-image-optimizer',
    needs: ['peer', 'fast'],
    figure: cpu('fast', 'peer'),
    show: times,
    bound: 1.25,
    aim: 1,
    promise: 80,
    of: 'fast',
  },
  {
    name: 'site-bytes',
    title: 'site: bytes of the sources',
    needs: ['default'],
    figure: bytes('default'),
    show: share,
    bound: 0.44,
    aim: 0.4,
    promise: 80,
    of: 'default',
  },
  {
    name: 'site-71-bytes',
    title: 'site, `quality: 71`: bytes of the sources',
    needs: ['small'],
    figure: bytes('small'),
    show: share,
    bound: 0.28,
    aim: 0.25,
    promise: 71,
    of: 'small',
  },
  {
    name: 'fast-bytes',
    title: 'site: bytes of `fast` ÷ default',
    needs: ['default', 'fast'],
    figure: (of) => of('fast').output.after / of('default').output.after,
    show: times,
    bound: 1.08,
    aim: 1.05,
  },
  {
    name: 'fast-type-bytes',
    title: 'site: bytes of `fast` ÷ default, the type that grows most',
    needs: ['default', 'fast'],
    figure: worstType,
    show: times,
    bound: 1.12,
    aim: 1.05,
  },
  {
    name: 'convert',
    title: 'site to AVIF and WebP: CPU ÷ vite-plugin-image-optimizer',
    needs: ['peer', 'convert'],
    figure: cpu('convert', 'peer'),
    show: times,
    bound: 4.5,
    aim: 3.5,
  },
  {
    name: 'convert-plain',
    title: 'site to AVIF and WebP: CPU ÷ plain AVIF',
    needs: ['plain-avif', 'convert'],
    figure: cpu('convert', 'plain-avif'),
    show: times,
    bound: 6,
    aim: 3,
  },
  {
    name: 'convert-bytes',
    title: 'site to AVIF and WebP: bytes of the sources',
    needs: ['convert'],
    figure: bytes('convert'),
    show: share,
    bound: 0.28,
    aim: 0.26,
    promise: 80,
    of: 'convert',
  },
  {
    name: 'convert-fast',
    title: 'site to AVIF and WebP, `fast`: CPU ÷ vite-plugin-image-optimizer',
    needs: ['peer', 'convert-fast'],
    figure: cpu('convert-fast', 'peer'),
    show: times,
    bound: 2,
    aim: 1.3,
    promise: 80,
    of: 'convert-fast',
  },
  {
    name: 'thousand',
    title: '1,000 small images: CPU ÷ vite-plugin-image-optimizer',
    needs: ['thousand-peer', 'thousand'],
    figure: cpu('thousand', 'thousand-peer'),
    show: times,
    bound: 2.5,
    aim: 2,
  },
  {
    name: 'widths',
    title: 'five widths × AVIF, WebP, JPEG of 12 megapixels: CPU ÷ plain encodes',
    needs: ['plain-widths', 'widths'],
    figure: cpu('widths', 'plain-widths'),
    show: times,
    bound: 1.9,
    aim: 1.6,
    promise: 80,
    of: 'widths',
  },
  {
    name: 'png-photographs',
    title: 'PNG photographs: bytes of lossless',
    needs: ['png-photographs'],
    figure: lossless('png-photographs'),
    show: share,
    bound: 0.4,
    aim: 0.33,
    promise: 80,
    of: 'png-photographs',
  },
  {
    name: 'png-graphics',
    title: 'PNG graphics: bytes of lossless',
    needs: ['png-graphics'],
    figure: lossless('png-graphics'),
    show: share,
    bound: 0.93 * GRAPHICS_BEFORE,
    aim: 0.88 * GRAPHICS_BEFORE,
    promise: 80,
    of: 'png-graphics',
  },
  {
    name: 'memory',
    title: 'peak memory: site, convert',
    needs: ['default', 'convert'],
    figure: memory(['default', 'convert']),
    show: wholeMegabytes,
    bound: 600e6,
    aim: 500e6,
  },
]

/** @returns the `value` as text, whether it is `kept`, and what else there is to say */
export function judgeRow(row, of) {
  const value = row.figure(of)
  const output = row.of === undefined ? undefined : of(row.of).output
  const isLow = row.promise !== undefined && !(output.min >= row.promise - ROUNDING)
  const problems = [
    ...(isLow ? [`lowest score ${output.min?.toFixed(1)}`] : []),
    ...(output !== undefined && output.damaged.length > 0 ? [`damaged: ${output.damaged.join(', ')}`] : []),
  ]
  return { value, kept: value <= row.bound && problems.length === 0, reached: value <= row.aim, problems }
}
