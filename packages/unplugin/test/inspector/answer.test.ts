import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describeWhy, formatBytes } from '@pixpress/core/report'
import { createProject, detect, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageHandler } from '../../src/bundlers/webpack-like/dev-server.ts'
import { answerInspector } from '../../src/inspector/answer.ts'
import { addEndpoint } from '../../src/inspector/endpoints.ts'
import type { ShownImage } from '../../src/inspector/answer.ts'
import { readQuery } from '../../src/modules/reference.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'

const LABELS: Readonly<Record<string, string>> = { 'image/avif': 'AVIF', 'image/webp': 'WebP' }
const ICON = path.resolve(import.meta.dirname, '../../../../examples/images/icon.png')

let project: Project
let session: Session
beforeAll(async () => {
  project = await createProject('inspector-unit', { packages: [] })
  await project.write('src/icon.png', await readFile(ICON))
  session = openSession({ report: false }, project.root)
})
afterAll(() => project.dispose())

async function images(references?: Parameters<typeof answerInspector>[2]): Promise<ShownImage[]> {
  const answer = await answerInspector(session, '/__pixpress/images.json', references)
  return JSON.parse(String(answer?.body)) as ShownImage[]
}

describe('answerInspector', () => {
  it('tells of images that were planned, and what was made of them', async () => {
    const file = project.path('src/icon.png')
    const { images: asked } = await session.planRequest(file, readQuery('?w=48&format=webp'))
    await session.plan(file)
    expect((await images()).map((each) => [each.file, each.asked, each.made]).toSorted()).toEqual([
      ['src/icon.png', '', undefined],
      ['src/icon.png', 'w=48&format=webp', undefined],
    ])

    const result = await answerInspector(session, `/__pixpress/image/${asked[0]!.id}`)
    expect([result?.type, detect(result?.body as Uint8Array)]).toEqual(['image/webp', 'webp'])
    const source = await answerInspector(session, `/__pixpress/source/${asked[0]!.id}`)
    expect(detect(source?.body as Uint8Array)).toBe('png')
    const made = (await images(() => new Map([[asked[0]!.id, [project.path('src/a.css'), 'index.html']]]))).find(
      ({ id }) => id === asked[0]!.id,
    )
    expect(made).toMatchObject({
      made: { type: 'image/webp', width: 48, height: 48, source: { type: 'image/png', width: 180 } },
      references: ['src/a.css', 'index.html'],
    })
    expect(made?.made?.score).toBeGreaterThan(80)
  })

  it('forgets the former bytes of a source that was edited', async () => {
    const count = (await images()).length
    await project.write('src/icon.png', Buffer.concat([await readFile(ICON), Buffer.from('tail')]))
    await session.plan(project.path('src/icon.png'))
    expect((await images()).length).toBe(count)
  })

  it('answers nothing but its own paths, and no ids that it does not know', async () => {
    expect(await answerInspector(session, '/index.html')).toBeUndefined()
    expect(await answerInspector(session, '/__pixpress')).toMatchObject({ status: 200 })
    expect(await answerInspector(session, '/__pixpress/image/0123456789abcdef')).toMatchObject({ status: 404 })
    expect(await answerInspector(session, '/__pixpress/other')).toMatchObject({ status: 404 })
  })

  it('tells the overlay which URLs are answered by pixpress although they do not look so', async () => {
    addEndpoint('/site/_image')
    const script = String((await answerInspector(session, '/__pixpress/overlay.js'))?.body)
    expect(script).toMatch(/^const endpoints = \[[^\n]*"\/site\/_image"/)
  })

  it('is a page of one document, without an address of elsewhere', async () => {
    const page = String((await answerInspector(session, '/__pixpress/'))?.body)
    expect(page).toContain('<!doctype html>')
    expect(page).not.toMatch(/https?:\/\//)
  })
})

describe('the dev servers of webpack, Rspack and Rsbuild', () => {
  it('show the inspector below any base', async () => {
    const handle = imageHandler(session)
    const server = createServer((request, response) => {
      handle(request, response, () => response.writeHead(404).end())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect(await (await fetch(`${site}/base/__pixpress/`)).text()).toContain('<title>pixpress</title>')
      expect(await (await fetch(`${site}/__pixpress/images.json?now`)).json()).toHaveLength(2)
      expect((await fetch(`${site}/__pixpressed/`)).status).toBe(404)
    } finally {
      server.close()
    }
  })
})

const others = async (): Promise<readonly string[]> => (await images()).flatMap(({ wouldBe }) => wouldBe ?? [])

describe('one image', () => {
  it('says what an image would be with convert, once that is known', async () => {
    await project.write('src/photo.png', await photo(96, 72, 7).png())
    const file = project.path('src/photo.png')
    await session.serve(await session.plan(file), () => undefined)
    expect(await others()).toEqual([])
    const other = await session.trial(
      await session.plan(file, 'content', { convert: { type: ['image/avif', 'image/webp'] } }),
      () => undefined,
    )
    expect(await others()).toEqual([naming(formatBytes(other.data.length), LABELS[other.type]!)])
  })

  it('says why an image is no smaller, in the words of the report', async () => {
    const file = project.path('src/plain.svg')
    await project.write('src/plain.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await session.serve(await session.plan(file), () => undefined)
    const plain = (await images()).find((each) => each.file === 'src/plain.svg')
    expect(plain?.made?.why).toBe(describeWhy({ because: 'smallest' }, 0))
    // A rule decides before the engine does.
    const map = project.path('src/wall-normal.png')
    await project.write('src/wall-normal.png', await readFile(ICON))
    await session.serve(await session.plan(map), () => undefined)
    const wall = (await images()).find((each) => each.file === 'src/wall-normal.png')
    expect(wall?.made?.why).toMatch(/^Lossless, as /)
  })
})
