import { subscribe } from 'node:diagnostics_channel'
import { DEFAULT_LIMITS } from '../../packages/core/dist/base/limits.js'
import { makePlan } from '../../packages/core/dist/plan/plan.js'
import { runJob } from '../../packages/core/dist/work/run.js'
import sharp from 'sharp'

const LIST = { convert: { type: ['image/avif', 'image/webp'] } }

/** Settings of the last AVIF encode of a picture, in sharp's words. */
let lastAvif

subscribe('pixpress:encode', (options) => {
  if (options.formatOut !== 'heif') return
  const { heifQuality: quality, heifEffort: effort, heifBitdepth: bitdepth, heifTune: tune } = options
  lastAvif = { quality, effort, bitdepth, tune, chromaSubsampling: '4:4:4' }
})

/**
 * Measures the work on an image in this process: with a list of formats, with the defaults, and one plain AVIF encode
 * by sharp with the settings of the list's AVIF.
 * @returns milliseconds of processor time; `floor` is that of the plain encode where the list gives an AVIF that is not
 * animated, and that of the defaults elsewhere
 */
export async function measureImage(source) {
  lastAvif = undefined
  const list = await timed(() => optimized(source, LIST))
  const settings = lastAvif
  const own = await timed(() => optimized(source, {}))
  const { info, data, work, score, damaged } = list.result
  const isPlain = info.type === 'image/avif' && info.frames === 1 && list.result.kept === 'output'
  const plain = isPlain ? await timed(() => plainAvif(source, settings)) : undefined
  return {
    from: list.result.input.type,
    type: info.type,
    bytes: data.length,
    score,
    damaged,
    cpu: list.cpu,
    encodes: work.encodes,
    own: { bytes: own.result.data.length, cpu: own.cpu },
    floor: plain?.cpu ?? own.cpu,
  }
}

function optimized(source, operations) {
  const plan = makePlan(source, operations, { limits: DEFAULT_LIMITS })
  return runJob({ source, type: plan.type, operations: plan.operations, limits: DEFAULT_LIMITS, file: undefined })
}

const plainAvif = (source, settings) => sharp(source).autoOrient().avif(settings).toBuffer()

/** Milliseconds of processor time of all threads. */
async function timed(work) {
  const started = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(started)
  return { result, cpu: (user + system) / 1000 }
}
