import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOptimizer } from '@pixpress/core'
import { imagesBelow } from '../images/source-files.mjs'
import { readEmittedImages } from '../measure/emitted-images.mjs'
import { judgeQuality } from '../measure/quality.mjs'
import { removeCaches, runBuild, runScript } from '../measure/run-build.mjs'
import { packWithOxipng } from '../quality/encoders.mjs'
import { BUILDS, ENCODES, PNGS, WIDTHS } from './builds.mjs'
import { prepareMaterial } from './materials.mjs'

const PLAIN = fileURLToPath(new URL('plain-encodes.mjs', import.meta.url))

/** oxipng's default. */
const LEVEL = 2

/**
 * Makes the named BUILDS, ENCODES and PNGS, without a cache, `runs` times in turn, so that a busy moment of the machine
 * does not affect only one of them.
 * @param names keys of the three
 * @returns by name: `runs`, each with `cpu` in milliseconds and peak `memory` in bytes, and `output`, which is the same
 * in every run: bytes `before` and `after` of all images and by type (`types`), `low`, `min` and `mean` score, and the
 * names of `damaged` images
 */
export async function measure(names, runs) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const all = { ...BUILDS, ...ENCODES, ...PNGS }
    const sets = new Map()
    for (const { images } of names.map((name) => all[name])) {
      if (!sets.has(images)) sets.set(images, await prepareMaterial(images, path.join(folder, images)))
    }
    const results = new Map(names.map((name) => [name, { ...all[name], runs: [], output: undefined }]))
    for (let run = 1; run <= runs; run++) {
      for (const [name, result] of results) {
        if (name in PNGS && run > 1) continue
        process.stderr.write(`${result.title}, run ${run} of ${runs}\n`)
        const project = path.join(folder, result.images)
        const files = sets.get(result.images)
        if (name in BUILDS) await build(result, project)
        else if (name in ENCODES) await encode(result, project, files)
        else result.output = await optimizePngs(files)
      }
    }
    return results
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function build(result, folder) {
  const { tool, settings, images } = result
  await removeCaches(folder)
  result.runs.push(await runBuild({ bundler: 'vite', tool, settings, folder }))
  result.output ??=
    images === 'widths' ? await fromReport(folder) : await judge(await readEmittedImages(folder), images)
}

async function encode(result, folder, files) {
  const { kind } = result
  const args = kind === 'widths' ? [files[0], ...WIDTHS.map(String)] : files.filter((file) => !file.endsWith('.svg'))
  result.runs.push(await runScript([PLAIN, kind, ...args], { folder, name: result.title }))
}

/** A thousand small images are not scored: their builds are compared by time. */
async function judge(emitted, images) {
  return { ...sums(emitted), ...(images === 'thousand' ? {} : await judgeQuality(emitted)) }
}

/** Resized images have no source of their size to be scored against from outside. */
async function fromReport(folder) {
  const { images } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'))
  const scores = images.flatMap(({ score }) => score ?? []).sort((a, b) => a - b)
  const emitted = (await imagesBelow(path.join(folder, 'dist'))).length
  if (emitted !== WIDTHS.length * 3) throw new Error(`${WIDTHS.length * 3} images were asked for, and ${emitted} made.`)
  const after = images.reduce((sum, image) => sum + image.after, 0)
  return { before: undefined, after, types: {}, damaged: [], min: scores[0] }
}

/** Compares the results with the same pixels, losslessly packed by another tool. */
async function optimizePngs(files) {
  const optimizer = createOptimizer()
  try {
    const images = []
    for (const source of files) {
      const before = await readFile(source)
      const { data } = await optimizer.optimize(before)
      const packed = await packWithOxipng(before, LEVEL)
      images.push({ source, before, packed, after: Buffer.from(data) })
    }
    const lossless = images.reduce((sum, { packed }) => sum + packed.length, 0)
    return { ...sums(images), ...(await judgeQuality(images)), lossless }
  } finally {
    await optimizer.close()
  }
}

function sums(images) {
  const types = {}
  let [before, after] = [0, 0]
  for (const image of images) {
    before += image.before.length
    after += image.after.length
    const type = path.extname(image.source).replace('jpeg', 'jpg').slice(1)
    types[type] = (types[type] ?? 0) + image.after.length
  }
  return { before, after, types }
}
