import { expectSimilar, schemaDisagreements, startImageServer } from '@pixpress/testkit'
import type { ImageServer, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import schema from '../../docs/report.schema.json' with { type: 'json' }
import { readOutput } from '../contract/build.ts'
import { IMAGES, SENT, buildSite, createSite } from './site.ts'
import type { SiteBuild } from './site.ts'

const KEY = 'only-tests-use-this-key-equality'

let server: ImageServer
const projects: Project[] = []

beforeAll(async () => {
  server = await startImageServer({ key: KEY })
})
afterAll(async () => {
  await Promise.all(projects.map((project) => project.dispose()))
  await server?.close()
})

interface Built {
  readonly result: SiteBuild
  readonly output: ReadonlyMap<string, Buffer>
}

/** Each build has a project, and so a cache, of its own. webpack inlines nothing here: every image has a name. */
async function built(engine: 'local' | 'remote'): Promise<Built> {
  const project = await createSite(`equality-${engine}`, 'webpack')
  projects.push(project)
  const { endpoint, ca } = server
  const settings = engine === 'local' ? engine : { endpoint, ca, key: KEY, fallback: 'error' }
  const result = await buildSite(project, settings, {}, 'webpack')
  return { result, output: await readOutput(project) }
}

const images = ({ output }: Built): [string, Buffer][] =>
  [...output].filter(([file]) => /\.(?:jpg|png|webp|gif|svg)$/.test(file))

/** Without the hash of the contents: `hero-120-a725462852128abbac10.jpg` → `hero-120.jpg`. */
const plainName = (file: string): string => file.replace(/-[\da-f]{20}(\.\w+)$/, '$1')

const described = ({ result }: Built): unknown[] =>
  result.report!.images.map(({ source, type, before }) => ({ source, type, before }))

/** Equal sources may stand under several names. */
function namesByBytes(of: Built): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [file, data] of images(of)) {
    const bytes = data.toString('base64')
    names.set(bytes, [...(names.get(bytes) ?? []), file].toSorted())
  }
  return names
}

describe('a site that is built with this machine and with a server of the same version', () => {
  let local: Built
  let remote: Built

  beforeAll(async () => {
    local = await built('local')
    remote = await built('remote')
  })

  it('has the same images', async () => {
    expect([local.result.error, remote.result.error]).toEqual([undefined, undefined])
    expect(described(remote)).toHaveLength(IMAGES)
    for (const { result } of [local, remote]) expect(schemaDisagreements(result.report, schema)).toEqual([])
    expect(described(remote)).toEqual(described(local))
    expect(remote.result.remote.images).toBe(SENT)
  })

  it('has files of the same names that look the same', async () => {
    const ours = new Map(images(local).map(([file, data]) => [plainName(file), data]))
    const theirs = images(remote)
    expect(theirs.map(([file]) => plainName(file)).toSorted()).toEqual([...ours.keys()].toSorted())
    expect(theirs.length).toBeGreaterThanOrEqual(4)
    for (const [file, data] of theirs) {
      if (!file.endsWith('.svg')) await expectSimilar(data, ours.get(plainName(file))!)
    }
  })

  it('has the same name wherever the bytes are the same', () => {
    const [ours, theirs] = [namesByBytes(local), namesByBytes(remote)]
    const same = [...theirs.keys()].filter((bytes) => ours.has(bytes))
    expect(same.length).toBeGreaterThan(0)
    for (const bytes of same) expect(theirs.get(bytes)).toEqual(ours.get(bytes))
  })
})
