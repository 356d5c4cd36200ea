import { rm } from 'node:fs/promises'
import type { Report } from '@pixpress/core/report'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeDevServer } from './dev-server.ts'
import { build, copyStarter, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'
import { judgePrecache, readOutput } from './output.ts'
import { STARTERS } from './starters.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The summary's line about this project. */
    summary?: string
  }
}

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await packPackages()
})
afterAll(() => rm(tarballs.folder, { recursive: true, force: true }))

describe.concurrent('starters', () => {
  const rows = STARTERS.map((starter) => [starter.name, starter] as const)
  it.for(rows)('%s builds, cold and warm, with every image compressed', async ([, starter], { task, skip }) => {
    const { dev, output: folder = 'dist', says, serviceWorker, compares } = starter
    if (starter.node !== undefined && Number(process.versions.node.split('.')[0]) < starter.node) {
      task.meta.summary = `untried: it needs Node ${starter.node}`
      skip(task.meta.summary)
    }
    const project = await copyStarter(starter, tarballs)
    try {
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      const cold = await build(project)
      if (says !== undefined) expect(cold.output).toContain(says)
      const first = await readOutput(project, starter)
      expect(first.faults).toEqual([])
      if (compares !== undefined) {
        const { baseline } = JSON.parse(await project.readText(compares.report)) as Report
        expect(baseline).toMatchObject({ tools: [compares.tool], larger: 0 })
        expect(baseline!.after).toBeLessThan(baseline!.size)
      }
      if (serviceWorker !== undefined) expect(await judgePrecache(project, folder, serviceWorker)).toEqual([])
      const results = await project.list('.cache/pixpress')
      expect(results.length).toBeGreaterThan(0)
      await project.remove(folder)

      const warm = await build(project)
      const second = await readOutput(project, starter)
      expect(second.faults).toEqual([])
      expect([second.images, second.urls]).toEqual([first.images, first.urls])
      // Nothing was encoded again.
      expect(await project.list('.cache/pixpress')).toEqual(results)
      if (dev !== undefined) expect(await judgeDevServer(project, dev)).toEqual([])
      task.meta.summary =
        `${Object.keys(first.images).length} images, ${first.urls.length} references; ` +
        `cold ${cold.seconds.toFixed(1)} s, warm ${warm.seconds.toFixed(1)} s`
    } finally {
      if (process.env.PIXPRESS_KEEP_PROJECTS === undefined) await project.dispose()
      else console.log(project.root)
    }
  })
})
