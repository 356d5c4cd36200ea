import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offerInSite } from '../../src/fallbacks/offer-in-site.ts'
import type { Options } from '../../src/session/options/options.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'

const PAGE = '<p><img src="/docs/img/photo.png"> <img src="../img/photo.png"> <img src="/img/photo.png"></p>'

let project: Project
beforeAll(async () => {
  project = await createProject('convert-site', { packages: [] })
  await project.write('photo.png', await photo(96, 72, 3).png())
})
afterAll(() => project.dispose())

/** A site with the compressed image and a page in a folder that show it. */
async function writeSite(options: Options): Promise<Session> {
  const session = openSession({ report: false, ...options }, project.root)
  const { data } = await session.finish(await session.plan(project.path('photo.png'), 'beside'), () => {})
  await project.write('site/img/photo.png', Buffer.from(data))
  await project.write('site/guide/index.html', PAGE)
  await offerInSite(session, project.path('site'), '/docs/', () => {})
  return session
}

describe('offerInSite', () => {
  it('puts other types beside the image of a page, under URLs of the same form', async () => {
    await writeSite({ convert: 'auto' })
    const avif = (await project.list('site/img')).find((name) => name.endsWith('.avif'))!.replace(/^.*\//, '')
    const page = await project.readText('site/guide/index.html')
    expect(page).toContain(`srcset="/docs/img/${avif}"`)
    expect(page).toContain(`srcset="../img/${avif}"`)
    // It names no file of the site.
    expect(page).toContain('</picture> <img src="/img/photo.png"></p>')
  })

  it('changes nothing unless the options want it', async () => {
    await writeSite({})
    expect(await project.readText('site/guide/index.html')).toBe(PAGE)
  })
})
