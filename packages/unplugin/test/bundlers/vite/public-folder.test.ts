import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import type { ProjectHolder } from '../../../src/bundlers/vite/project.ts'
import { publicFolder } from '../../../src/bundlers/vite/public-folder.ts'
import { openSession } from '../../../src/session/registry.ts'

const ICON = path.resolve(import.meta.dirname, '../../../../../examples/images/icon.png')

it('is done when the bundle is closed, also where Rolldown does not wait for the start of rendering', async () => {
  const project = await createProject('vite-public', { packages: [] })
  try {
    const icon = await readFile(ICON)
    await project.write('public/icon.png', icon)
    await project.write('dist/icon.png', icon)
    const session = openSession({ report: false }, project.root)
    const build = { write: true, copyPublicDir: true, outDir: 'dist' }
    const config = { root: project.root, publicDir: project.path('public'), build }
    type Hook = { handler(this: object, options: object): Promise<void> }
    const [plugin] = publicFolder({ current: { session, config } } as unknown as ProjectHolder)
    const { renderStart, closeBundle } = plugin as unknown as Record<'renderStart' | 'closeBundle', Hook>
    void renderStart.handler.call({ warn: () => undefined }, {})
    await closeBundle.handler.call({}, {})
    expect((await project.read('dist/icon.png')).length).toBeLessThan(icon.length)
    await session.endBuild()
  } finally {
    await project.dispose()
  }
})
