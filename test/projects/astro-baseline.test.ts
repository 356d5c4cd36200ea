import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { ssimulacra2 } from '@pixpress/core/metric'
import type { Report } from '@pixpress/core/report'
import { danglingReferences, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { build, copyStarter, install, packPackages } from './install.ts'

/** Images of the three pages besides those that all starters have, and the repository's image that each is. */
const MORE: Readonly<Record<string, string>> = {
  'poster.jpg': 'examples/images/temple.jpg',
  'wide.jpg': 'examples/images/sunrise.jpg',
  'face.jpg': 'test/fixtures/site/src/images/phone.jpeg',
  'avatar.png': 'examples/images/icon.png',
  'emoji.png': 'test/fixtures/site/src/images/emoji.png',
  'chart.png': 'examples/images/chart.png',
  'coffee.png': 'examples/images/coffee.png',
  'screenshot.png': 'examples/images/dashboard.png',
}

it('Astro writes no image of three pages smaller at a score that keeps the promise, and the report says so', async ({
  skip,
  task,
}) => {
  const tarballs = await packPackages()
  const project = await copyStarter({ name: 'Astro', folder: 'astro-baseline', more: MORE }, tarballs)
  try {
    const reason = await install(project)
    if (reason !== undefined) {
      task.meta.summary = `untried: ${reason}`
      skip(reason)
    }
    const { output } = await build(project)
    const report = JSON.parse(await project.readText('report.json')) as Report
    const [plain, ours] = [await delivered(project, 'plain'), await delivered(project, 'ours')]
    const compared = report.images.flatMap(({ baseline, ...image }) => (baseline ? [{ ...image, baseline }] : []))

    // Whatever the pages load is in the report, with the bytes that lie on the disk in both builds.
    expect(compared.map(({ after }) => after).toSorted(ascending)).toEqual([...ours.values()].toSorted(ascending))
    expect(compared.map(({ baseline }) => baseline.size).toSorted(ascending)).toEqual(
      [...plain.values()].toSorted(ascending),
    )
    const sums = { images: compared.length, size: sumOf(plain), after: sumOf(ours) }
    expect(report.baseline).toMatchObject({ tools: ['Astro'], ...sums, larger: 0 })
    expect(output).toContain('would have written')

    const larger = compared.filter(({ after, baseline }) => after > baseline.size * 1.02)
    expect(larger.filter(({ baseline }) => baseline.keepsPromise !== false)).toEqual([])
    expect(sums.after).toBeLessThan(sums.size)
    expect(compared.filter(({ before, after }) => after > before)).toEqual([])
    // Where nobody asks for a format, some are smallest in their own.
    expect(new Set([...ours.keys()].map((name) => path.extname(name)))).toEqual(
      new Set(['.avif', '.jpg', '.png', '.svg', '.webp']),
    )

    // A photograph in its own size, scored apart from what the report is made with.
    const photo = compared.find(({ source, width }) => source === 'src/assets/photo.jpg' && width === 640)!
    const [file] = [...plain].find(([, size]) => size === photo.baseline.size)!
    const [before, after] = await Promise.all(
      [project.path('src/assets/photo.jpg'), project.path(`plain/${file}`)].map(pixelsOf),
    )
    expect(Math.abs(ssimulacra2(before!, after!) - photo.baseline.score!)).toBeLessThan(0.5)
    task.meta.summary = `${sums.images} images: Astro ${sums.size} bytes, pixpress ${sums.after}`
  } finally {
    await project.dispose()
    await rm(tarballs.folder, { recursive: true, force: true })
  }
})

/** Bytes of the images that pages of an output load, by their names in it. */
async function delivered(project: Project, folder: string): Promise<ReadonlyMap<string, number>> {
  const references = await readReferences(project.path(folder))
  expect(danglingReferences(references)).toEqual([])
  const names = [...new Set(references.flatMap(({ target }) => (target === undefined ? [] : [target])))]
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(project.path(folder, name))).size] as const)),
  )
}

async function pixelsOf(file: string): Promise<{ data: Buffer; width: number; height: number; channels: 3 }> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

const ascending = (a: number, b: number): number => a - b

const sumOf = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((sum, size) => sum + size, 0)
