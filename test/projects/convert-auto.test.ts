import { rm } from 'node:fs/promises'
import { danglingReferences, readReferences } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, copyStarter, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'
import { STARTERS } from './starters.ts'

interface Row {
  /** The name of the starter. */
  readonly name: string
  /** The file of its configuration, and what is replaced there. */
  readonly config: readonly [file: string, from: string, to: string]
}

const ROWS: readonly Row[] = [
  { name: 'Astro 5', config: ['astro.config.mjs', 'pixpress()', "pixpress({ convert: 'auto' })"] },
  { name: 'Eleventy', config: ['eleventy.config.js', '(pixpress)', "(pixpress, { convert: 'auto' })"] },
  { name: 'Nuxt', config: ['nuxt.config.js', 'pixpress: {', "pixpress: { convert: 'auto',"] },
  { name: 'Next.js with webpack', config: ['next.config.js', " })", " }, { convert: 'auto' })"] },
  { name: 'Next.js with Turbopack', config: ['next.config.js', " })", " }, { convert: 'auto' })"] },
]

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await packPackages()
})
afterAll(() => rm(tarballs.folder, { recursive: true, force: true }))

describe("convert: 'auto'", () => {
  it.for(ROWS)('$name', async ({ name, config: [file, from, to] }, { task, skip }) => {
    const starter = STARTERS.find((each) => each.name === name)!
    const project = await copyStarter(starter, tarballs)
    try {
      const config = await project.readText(file)
      await project.write(file, config.replace(from, to))
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      const { output } = await build(project)
      const folder = starter.output ?? 'dist'
      const references = await readReferences(project.path(folder))
      expect(danglingReferences(references)).toEqual([])
      console.log(project.root, output.slice(-2500))
      console.log(references.map(({ file, url }) => `${file} ${url.slice(0, 80)}`).join('\n'))
      await rm(project.path('.cache/pixpress-x'), { force: true })
    } finally {
      //
    }
  })
})
