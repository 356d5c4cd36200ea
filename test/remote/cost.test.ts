import { startImageServer } from '@pixpress/testkit'
import type { ImageServer, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPRESSIONS, IMAGES, UPLOADS, buildSite, createSite } from './site.ts'
import type { SiteBuild } from './site.ts'

const KEY = 'only-tests-use-this-key-cost'

describe('a build with a server', () => {
  let server: ImageServer
  let project: Project
  const build = (options?: object): Promise<SiteBuild> => {
    const { endpoint, ca } = server
    return buildSite(project, { endpoint, ca, key: KEY }, options)
  }

  beforeAll(async () => {
    server = await startImageServer({ key: KEY })
    project = await createSite('cost')
  })
  afterAll(async () => {
    await project?.dispose()
    await server?.close()
  })

  it('sends each image once, and counts as the server does', async () => {
    const { ok, error, remote, report, warnings } = await build()
    expect(error).toBeUndefined()
    expect({ ok, warnings, images: report?.images.length }).toEqual({ ok: true, warnings: [], images: IMAGES })
    expect(remote).toMatchObject({ compressions: COMPRESSIONS, saved: 0, fallbacks: { local: 0, original: 0 } })
    expect(remote.keys).toMatchObject([{ compressions: COMPRESSIONS, month: COMPRESSIONS }])
    expect(await server.compressions()).toBe(COMPRESSIONS)
    expect(server.uploads).toBe(UPLOADS)
  })

  it('sends nothing when nothing has changed, also without the output folder', async () => {
    const before = server.requests.length
    const warm = await build()
    expect(warm.report?.totals).toMatchObject({ encoded: 0, cached: IMAGES })
    expect(warm.remote).toMatchObject({ compressions: 0, saved: COMPRESSIONS, images: 0 })
    await project.remove('dist')
    const cleared = await build()
    expect(cleared.remote).toMatchObject({ compressions: 0, saved: COMPRESSIONS, images: 0 })
    expect((await project.list('dist')).length).toBeGreaterThan(0)
    expect(await server.compressions()).toBe(COMPRESSIONS)
    expect(server.requests).toHaveLength(before)
  })

  it('sends again what a changed option touches, and nothing else', async () => {
    const { uploads } = server
    const { remote } = await build({ presets: { small: { w: 48 } } })
    expect(remote).toMatchObject({ compressions: 2, images: 1 })
    expect(await server.compressions()).toBe(COMPRESSIONS + 2)
    expect(server.uploads).toBe(uploads + 1)
    // A service decides over quality itself: only this machine's images are made anew.
    const { remote: none, report } = await build({ quality: 'small' })
    expect(none).toMatchObject({ compressions: 0, saved: COMPRESSIONS })
    const anew = report!.images.filter(({ cached }) => !cached).map(({ type }) => type)
    expect(anew).toEqual(['image/gif'])
    expect(await server.compressions()).toBe(COMPRESSIONS + 2)
  })
})
