import { copyFile, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Report } from '@pixpress/core/report'
import { detect, photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/directives/query.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { createSession } from '../../../src/session/index.ts'
import type { FinishedImage, PlannedImage } from '../../../src/session/plan/images.ts'
import type { Session } from '../../../src/session/session.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-offers-')))
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'photo.png'), await photo(192, 144, 3).png())
  await writeFile(path.join(root, 'wall-normal.png'), await photo(48, 36, 4).png())
})
afterAll(() => rm(root, { recursive: true, force: true }))

const warn = (): void => undefined
const file = (name: string): string => path.join(root, name)

function open(options: Options, targets?: readonly string[]): Session {
  return createSession(
    resolvePluginOptions({ cache: { dir: 'cache' }, report: { json: 'report.json' }, ...options }, root, targets),
  )
}

async function own(session: Session, name: string): Promise<FinishedImage> {
  return session.finish(await session.plan(file(name), 'beside'), warn)
}

/** Makes all images of an import of the photograph. */
async function makeAll(session: Session, query: string): Promise<void> {
  const { images } = await session.planRequest(file('photo.png'), parseQuery(query))
  for (const image of images) await session.finish(image, warn)
}

/** Types and conversions of the images of a build that ends here, of those that have one. */
async function conversionsAfter(session: Session): Promise<string[]> {
  await session.endBuild()
  const { images } = JSON.parse(await readFile(file('report.json'), 'utf8')) as Report
  return images.flatMap(({ type, conversion }) => (conversion === undefined ? [] : [`${type} ${conversion}`]))
}

async function typeAlone(targets: readonly string[], options: Options = {}): Promise<string> {
  const session = open({ convert: 'auto', ...options }, targets)
  return (await session.finish(await session.plan(file('photo.png')), warn)).type
}

describe("convert: 'auto'", () => {
  it('offers types that are smaller than what comes after them, and the own type last', async () => {
    const session = open({ convert: 'auto' })
    const image = await own(session, 'photo.png')
    expect(image.type).toBe('image/png')
    const offer = await session.alternatives.of(image.data, warn)
    const all = [...offer!.others, offer!.own]
    expect(all[0]!.type).toBe('image/avif')
    expect(all.map(({ data }) => data.length)).toEqual(all.map(({ data }) => data.length).toSorted((a, b) => a - b))
    for (const { data, type } of all) expect(`image/${detect(data)}`).toBe(type)
    expect(new Set(all.map(({ planned }) => planned.id)).size).toBe(all.length)
  })

  it('offers JPEG XL where it is listed and 3 % smaller than what comes after it', async () => {
    const types = ['image/jxl', 'image/avif', 'image/webp'] as const
    const seen: boolean[] = []
    for (const quality of [80, 97]) {
      const session = open({ convert: { type: [...types] }, fallback: 'auto', quality })
      const image = await own(session, 'photo.png')
      const { others } = (await session.alternatives.of(image.data, warn))!
      const at = others.findIndex(({ type }) => type === 'image/jxl')
      seen.push(at === 0)
      if (at === 0) expect(others[0]!.data.length).toBeLessThan(0.97 * others[1]!.data.length)
      else expect(at).toBe(-1)
    }
    expect(seen).toContain(true)
  })

  it('offers nothing beside an image whose content credentials are kept', async () => {
    const signed = new URL('../../../../core/test/fixtures/credentials/signed.png', import.meta.url)
    await copyFile(signed, file('signed.png'))
    const others: number[] = []
    for (const preserve of [[], ['provenance']] as const) {
      const session = open({ convert: 'auto', preserve })
      const image = await own(session, 'signed.png')
      others.push((await session.alternatives.of(image.data, warn))!.others.length)
    }
    expect(others).toEqual([expect.any(Number), 0])
    expect(others[0]).toBeGreaterThan(0)
  })

  it('gives an image of the output itself without making others of it', async () => {
    const session = open({ convert: 'auto' })
    const image = await own(session, 'photo.png')
    expect(await session.alternatives.own(image.data, warn)).toMatchObject({
      width: 192,
      height: 144,
      type: 'image/png',
    })
    expect(await session.alternatives.own(Buffer.from('another'), warn)).toBeUndefined()
    await session.endBuild()
    const { images } = JSON.parse(await readFile(file('report.json'), 'utf8')) as Report
    expect(images.map(({ type }) => type)).toEqual(['image/png'])
  })

  it('offers sizes that directives ask for in other types, but not formats that they demand', async () => {
    const session = open({ convert: 'auto' })
    const [small, demanded] = await Promise.all(
      ['?w=96', '?w=96&format=png&quality=70'].map(async (query) => {
        const { images } = await session.planRequest(file('photo.png'), parseQuery(query), 'beside')
        return session.finish(images[0]!, warn)
      }),
    )
    const offer = await session.alternatives.of(small!.data, warn)
    expect(offer!.others.map(({ type, width }) => [type, width])).toContainEqual(['image/webp', 96])
    expect(demanded!.type).toBe('image/png')
    const { images } = await session.planRequest(file('photo.png'), parseQuery('?format=webp'))
    const webp = await session.finish(images[0]!, warn)
    expect(await session.alternatives.of(webp.data, warn)).toBeUndefined()
  })

  it('holds every image that it makes for finished, as bundlers hand them on as files', async () => {
    const session = open({ convert: 'auto' })
    const image = await own(session, 'photo.png')
    const { others } = (await session.alternatives.of(image.data, warn))!
    expect(others.length).toBeGreaterThan(0)
    for (const { data } of [image, ...others]) expect(await session.isSettled(data)).toBe(true)
    expect(await session.isSettled(Buffer.from('another'))).toBe(false)
  })

  it('leaves images out of the report’s count whose types an import names', async () => {
    const session = open({ convert: 'auto' }, ['chrome120'])
    await makeAll(session, '?format=avif;webp;png&as=picture')
    expect(await conversionsAfter(session)).toEqual([])
    // The PNG of the picture is that of an import as well whose type is left open.
    await makeAll(session, '?format=webp;png&as=picture')
    await makeAll(session, '?w=96&format=png')
    await makeAll(session, '?w=96')
    expect(await conversionsAfter(session)).toEqual(['image/avif alone'])
  })

  it('counts an image whose type one import names and another leaves open', async () => {
    const session = open({ convert: 'auto' }, ['ie11'])
    for (const query of ['?w=96&format=png', '?w=96', '?w=96&format=png']) await makeAll(session, query)
    expect(await conversionsAfter(session)).toEqual(['image/png kept'])
  })

  it('says of a copy that nothing offers other types beside it, unless something does', async () => {
    const session = open({ convert: 'auto' })
    const copy = await session.finish(await session.plan(file('photo.png'), 'public'), warn)
    expect(await conversionsAfter(session)).toEqual(['image/png kept'])
    await session.finish(copy.planned as PlannedImage, warn)
    session.log.alternatives(copy.planned.id, 'kept', 'A rule tells it apart.')
    await session.finish(copy.planned as PlannedImage, warn)
    await session.endBuild()
    const { images } = JSON.parse(await readFile(file('report.json'), 'utf8')) as Report
    expect(images.map(({ typeKept }) => typeKept)).toEqual([expect.stringContaining('tells it apart')])
  })

  it('spells out every type for a picture, whatever browsers read', async () => {
    const { request } = await open({ convert: 'auto' }).planRequest(file('photo.png'), parseQuery('?as=picture'))
    expect(request.variants.map(({ format }) => format)).toEqual(['avif', 'webp', 'png'])
  })

  it('converts what stands alone to what all browsers read, and nothing else', async () => {
    expect(await typeAlone(['chrome107', 'safari16'])).toBe('image/webp')
    expect(await typeAlone(['chrome120', 'safari17'])).toBe('image/avif')
    expect(await typeAlone(['ie11'])).toBe('image/png')
    expect(await typeAlone(['es2020'])).toBe('image/avif')
    expect(await typeAlone(['chrome120'], { fallback: 'picture' })).toBe('image/png')
    expect(await typeAlone([], { fallback: false })).toBe('image/avif')
  })

  it('keeps what an explicit list did without a fallback', async () => {
    const session = open({ convert: { type: ['image/avif', 'image/webp'] } })
    expect(session.alternatives.isWanted).toBe(false)
    expect((await own(session, 'photo.png')).type).toBe('image/avif')
  })

  it('tells the report what became of the type of each image, and why', async () => {
    const session = open({ convert: 'auto' })
    for (const name of ['photo.png', 'wall-normal.png']) {
      const image = await own(session, name)
      const offer = await session.alternatives.of(image.data, warn)
      if (offer?.others.length) session.log.alternatives(image.planned.id, 'fallback')
      else session.log.alternatives(image.planned.id, 'kept', offer?.reason)
    }
    await session.endBuild()
    const { images } = JSON.parse(await readFile(file('report.json'), 'utf8')) as Report
    const told = (name: string): unknown[] =>
      images
        .filter(({ source }) => source === name)
        .map(({ type, conversion, typeKept }) => [type, conversion, typeKept])
    expect(told('photo.png')).toContainEqual(['image/png', 'fallback', undefined])
    expect(told('photo.png')).toContainEqual(['image/avif', 'offered', undefined])
    expect(told('wall-normal.png')).toEqual([['image/png', 'kept', expect.stringContaining('map of data')]])
  })
})
