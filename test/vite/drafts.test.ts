import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildProject } from './build.ts'
import { serve } from './serve.ts'

const OPTIONS = { effort: 'auto', firstBuild: 1, convert: { type: 'image/webp' } } as const

describe.each(['vite', 'vite5'] as const)('drafts, %s', (vite) => {
  let project: Project
  beforeEach(async () => {
    project = await createProject('vite-drafts', {
      packages: ['unplugin-pixpress', vite],
      files: {
        'index.html': '<img src="./a.jpg"><img src="./b.jpg">',
        'a.jpg': await photo(320, 240, 1).jpeg(95),
        'b.jpg': await photo(240, 180, 2).jpeg(95),
      },
    })
  })
  afterEach(() => project.dispose())

  const drafts = async (): Promise<number> =>
    (await project.readText('pixpress.lock')).split('\n').filter((line) => line.includes('"draft":true')).length
  const built = async (): Promise<string[]> => {
    const outcome = await buildProject(project, {
      vite,
      options: JSON.stringify(OPTIONS),
      config: '{ build: { assetsInlineLimit: 0 } }',
    })
    expect(outcome).toMatchObject({ warnings: [], images: 2 })
    return (await project.list('dist/assets')).filter((file) => file.endsWith('.webp'))
  }

  it('are refined by a dev server that is idle, and nothing else changes them', async () => {
    const first = await built()
    expect(await drafts()).toBe(2)
    expect(await built()).toEqual(first)
    const dev = await serve(project, vite, { options: OPTIONS })
    try {
      const draft = await dev.ask('/a.jpg')
      expect(draft.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
      await expect.poll(drafts).toBe(0)
      const final = await dev.ask('/a.jpg')
      expect(final.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-cache' })
      expect(final.body.length).toBeLessThan(draft.body.length)
      expect(dev.warnings).toEqual([])
    } finally {
      await dev.close()
    }
    const refined = await built()
    expect(refined).toHaveLength(2)
    for (const name of refined) expect(first).not.toContain(name)
    expect(await built()).toEqual(refined)
  })
})
