import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { countBytes, countChanged, readEmittedImages } from './emitted-images.mjs'
import { judgeQuality } from './quality.mjs'
import { removeCaches, runBuild } from './run-build.mjs'

/** The bundlers, and the tools that are compared in each; the first is what the others are compared with. */
export const CONTENDERS = {
  vite: ['none', 'pixpress', 'vite-plugin-image-optimizer', 'vite-imagetools'],
  webpack: ['none', 'pixpress', 'image-minimizer-webpack-plugin'],
}

/** Warm builds after each cold one. */
const WARM_BUILDS = 5

/**
 * Builds one set of images with every contender, cold and then warm, `runs` times in turn, so that a busy moment of the
 * machine does not hit one tool alone.
 * @param makeImages puts images into a folder and returns their names
 * @param writeProject writes the sources that refer to them
 * @param contenders as CONTENDERS, or a part of it
 * @param quality whether the emitted images are compared with their sources
 * @returns the images, and per contender the median `cold` and `warm` build, and `output`
 */
export async function benchmark({ makeImages, writeProject, contenders, runs, quality }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const imageFolder = path.join(folder, 'images')
    const names = await makeImages(imageFolder)
    const entries = []
    for (const [bundler, tools] of Object.entries(contenders)) {
      for (const tool of tools) {
        const project = path.join(folder, `${bundler}-${tool}`)
        await mkdir(project)
        await cp(imageFolder, path.join(project, 'images'), { recursive: true })
        await writeProject(project, names, bundler)
        entries.push({ bundler, tool, project, cold: [], warm: [] })
      }
    }
    for (let run = 1; run <= runs; run++) await round(entries, { run, runs, quality })
    const results = entries.map(({ bundler, tool, cold, warm, output }) => ({
      bundler,
      tool,
      cold: medians(cold),
      warm: medians(warm),
      output,
    }))
    return { images: names.length, results }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs all cold builds and then all warm ones, several times in turn. A processor that has been busy for half a minute
 * is slower than a rested one, and one warm build is too short for a reliable time.
 */
async function round(entries, { run, runs, quality }) {
  const emitted = new Map()
  for (const entry of entries) {
    const { bundler, tool, project } = entry
    process.stderr.write(`${bundler} with ${tool}, run ${run} of ${runs}\n`)
    await removeCaches(project)
    entry.cold.push(await runBuild({ bundler, tool, folder: project }))
    emitted.set(entry, await readEmittedImages(project))
  }
  for (let turn = 0; turn < WARM_BUILDS; turn++) {
    for (const entry of entries) {
      const { bundler, tool, project } = entry
      entry.warm.push(await runBuild({ bundler, tool, folder: project }))
    }
  }
  for (const entry of entries) {
    const cold = emitted.get(entry)
    const changed = countChanged(cold, await readEmittedImages(entry.project))
    entry.output ??= { ...countBytes(cold), changed, ...(quality && (await judgeQuality(cold))) }
  }
}

function medians(builds) {
  const of = (property) => median(builds.map((build) => build[property]))
  return { wall: of('wall'), cpu: of('cpu'), memory: of('memory') }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
