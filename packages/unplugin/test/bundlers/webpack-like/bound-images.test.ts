import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBoundUses } from '../../../src/bundlers/webpack-like/bound-images.ts'
import { diskFiles } from '../../../src/base/files.ts'
import type { Session } from '../../../src/session/session.ts'

let project: Project
beforeAll(async () => {
  project = await createProject('bound-images', { packages: [] })
})
afterAll(() => project.dispose())

describe('the images of a template', () => {
  it.each([
    ['<img src="./a.png">', 'content', true],
    ['<img src="/img/a.png" width="4" height="3">', 'content', false],
    ['<img src="./a.png"><link rel="icon" href="~@/img/a.png">', 'icon', true],
    ['<img src="./b/a.png">', 'content', false],
    ['<picture><source type="image/webp" srcset="a.webp"><img src="a.png"></picture>', 'typed', true],
  ])('%s: %s, without a size: %s', async (html, use, isUnsized) => {
    await project.write('img/page.html', html)
    const unsized: string[] = []
    const log = { unsized: (file) => void unsized.push(file) } as Session['log']
    const file = project.path('img/a.png')
    expect(await createBoundUses({ files: diskFiles, log })(project.path('img/page.html'), file, './a.png')).toBe(use)
    expect(unsized).toEqual(isUnsized ? [file] : [])
  })
})
