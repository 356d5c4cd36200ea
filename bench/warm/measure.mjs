import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { makeSmallImages } from '../images/small-images.mjs'
import { median } from '../measure/benchmark.mjs'
import { runBuild } from '../measure/run-build.mjs'
import { writeProject } from './projects.mjs'

/** Without a plugin first: it is what the other is compared with. */
const TOOLS = ['none', 'pixpress']

/** Warm builds say nothing of how long images are searched for, so the first build does it quickly. */
const SETTINGS = { effort: 'fast' }

/**
 * Measures warm builds of a project with Vite, without the plugin and with it in turn, so that a busy moment of the
 * machine does not hit one alone, each in a process of its own.
 * @param project a value of PROJECTS
 * @returns by tool the median `cpu` and `wall` in milliseconds and the median peak `memory` in bytes; and `ratio`, the
 * median of the ratios of two builds that followed each other, by processor time
 */
export async function measureWarm(project, runs) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const folders = await prepare(project, folder)
    for (const tool of TOOLS) await build(tool, folders)
    const builds = { none: [], pixpress: [] }
    for (let run = 1; run <= runs; run++) {
      process.stderr.write(`${project.title}: run ${run} of ${runs}\n`)
      for (const tool of TOOLS) builds[tool].push(await build(tool, folders))
    }
    const ratios = builds.pixpress.map(({ cpu }, run) => cpu / builds.none[run].cpu)
    return { none: medians(builds.none), pixpress: medians(builds.pixpress), ratio: median(ratios) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A copy of the project for each tool, as the plugin keeps its cache in it. */
async function prepare(project, folder) {
  const folders = Object.fromEntries(TOOLS.map((tool) => [tool, path.join(folder, tool)]))
  const names = await makeSmallImages(path.join(folders.none, 'images'), project.count)
  await writeProject(folders.none, names, project)
  await cp(folders.none, folders.pixpress, { recursive: true })
  return folders
}

const build = (tool, folders) =>
  runBuild({ bundler: 'vite', tool, folder: folders[tool], ...(tool === 'pixpress' && { settings: SETTINGS }) })

function medians(builds) {
  const of = (property) => median(builds.map((each) => each[property]))
  return { cpu: of('cpu'), wall: of('wall'), memory: of('memory') }
}
