import { symlink } from 'node:fs/promises'
import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject } from './build.ts'

describe.each(NEWEST_AND_OLDEST)('a cache folder behind a symbolic link, %s', (vite) => {
  let project: Project
  beforeEach(async () => {
    project = await createProject('vite-linked-cache', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'index.html': `<img src="./src/a.png"><script type="module" src="/src/main.js"></script>`,
        'src/main.js': `import './style.css'`,
        'src/style.css': `.b { background: url(./b.png) }`,
        'src/a.png': await photo(80, 60, 1).png(),
        'src/b.png': await photo(80, 60, 2).png(),
        'real/.keep': '',
      },
    })
    await symlink(project.path('real'), project.path('linked'))
  })
  afterEach(() => project.dispose())

  it('has images of pages and stylesheets encoded once', async () => {
    const options = `{ cache: { dir: 'linked/cache' }, convert: { type: 'image/webp' } }`
    const config = `{ build: { assetsInlineLimit: 0 } }`
    const outcome = await buildProject(project, { vite, options, config })
    expect(outcome).toEqual({ warnings: [], encoded: 2, images: 2, reports: 1 })
    const images = (await project.list('dist')).filter((file) => /\.(?:png|webp)$/.test(file))
    expect(images.map((file) => file.replace(/-[\w-]{8}\./, '.'))).toEqual(['assets/a.webp', 'assets/b.webp'])
  })
})
