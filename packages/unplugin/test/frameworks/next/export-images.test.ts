import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { createProject, detect } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportImages } from '../../../src/frameworks/next/export-images.ts'
import { openSession } from '../../../src/session/registry.ts'

const ICON = path.resolve(import.meta.dirname, '../../../../../examples/images/icon.png')

let project: Project
let icon: Buffer
beforeAll(async () => {
  project = await createProject('next-export', { packages: [] })
  icon = await readFile(ICON)
  await project.write('public/icon.png', icon)
  await project.write('out/icon.png', icon)
  await project.write('out/_next/static/media/a b.x1.png', icon)
  await project.write(
    'out/index.html',
    '<img srcset="/base/_next/static/media/a%20b.x1.png.w32.webp 1x, /base/_next/static/media/a%20b.x1.png.w64-q60.webp 2x">',
  )
  await project.write('out/index.txt', '{"src":"/base/icon.png.w96.webp","other":"/gone.png.w32.webp"}')
})
afterAll(() => project.dispose())

describe('exportImages', () => {
  it('makes the sizes that pages ask for, of the originals, and compresses those', async () => {
    const run = (): ReturnType<typeof exportImages> =>
      exportImages(openSession({ report: false }, project.root), project.path('out'), () => {})
    expect(await run()).toEqual({ made: 3, compressed: 2, missing: ['/gone.png.w32.webp'] })
    const names = [
      'icon.png.w96.webp',
      '_next/static/media/a b.x1.png.w32.webp',
      '_next/static/media/a b.x1.png.w64-q60.webp',
    ]
    const made = await Promise.all(names.map((name) => project.read(`out/${name}`)))
    expect(made.map((bytes) => detect(bytes))).toEqual(['webp', 'webp', 'webp'])
    expect((await project.read('out/icon.png')).length).toBeLessThan(icon.length)
    expect((await project.read('public/icon.png')).equals(icon)).toBe(true)

    // The files that are there are of the originals, and stay.
    expect(await run()).toMatchObject({ compressed: 0 })
    expect(await Promise.all(names.map((name) => project.read(`out/${name}`)))).toEqual(made)
  })

  it('takes the image itself for a size that would take more bytes', async () => {
    const temple = path.resolve(import.meta.dirname, '../../../../../examples/images/temple.jpg')
    const optimizer = createOptimizer({ cache: false })
    const operations = { resize: { method: 'scale', width: 320 }, convert: { type: 'image/webp' } } as const
    const { data } = await optimizer.optimize(await readFile(temple), {
      ...operations,
      encoder: { webp: { quality: 10 } },
    })
    await optimizer.close()
    const other = await createProject('next-grown', { packages: [] })
    try {
      await other.write('public/a.webp', data)
      await other.write('out/a.webp', data)
      await other.write('out/index.html', '<img src="/a.webp.w300.webp">')
      const warned: string[] = []
      await exportImages(openSession({ report: false }, other.root), other.path('out'), (said) => warned.push(said))
      expect((await other.read('out/a.webp.w300.webp')).length).toBeLessThanOrEqual(data.length)
      expect(warned).toEqual([])
    } finally {
      await other.dispose()
    }
  })
})
