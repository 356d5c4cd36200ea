import { createHash } from 'node:crypto'
import { resolveOperations } from '@pixpress/core/internal'
import { DIRECTIVE_SAMPLES, SAMPLE_IMAGES, SAMPLE_PRESETS, createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIRECTIVE_NAMES } from '../../src/directives/rows.ts'
import { readQuery } from '../../src/modules/reference.ts'
import { renderImport } from '../../src/modules/render-import.ts'
import type { ModuleImages } from '../../src/modules/render-import.ts'
import { createSession } from '../../src/session/index.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import type { Session } from '../../src/session/session.ts'

let project: Project
let session: Session
beforeAll(async () => {
  const files = await Promise.all(
    Object.entries(SAMPLE_IMAGES).map(async ([name, make]) => [name, await make()] as const),
  )
  project = await createProject('directive-effects', { files: Object.fromEntries(files) })
  session = createSession(resolvePluginOptions({ report: false, cache: false, presets: SAMPLE_PRESETS }, project.root))
})
afterAll(async () => {
  await session.endBuild()
  await project.dispose()
})

/** Writes the digest of an image in the place of its URL. */
const digests: ModuleImages['place'] = async (_, __, finish) => {
  const { data } = await finish()
  return JSON.stringify(createHash('sha256').update(data).digest('hex'))
}

const ignored = (): void => undefined
const moduleOf = (image: string, query: string): Promise<string> =>
  renderImport(
    session,
    { file: project.path(image), query: readQuery(query === '' ? '' : `?${query}`) },
    { onRequest: false, place: digests },
    ignored,
  )

describe('each directive', () => {
  it('has a sample', () => {
    expect(Object.keys(DIRECTIVE_SAMPLES).toSorted()).toEqual(DIRECTIVE_NAMES.toSorted())
  })

  it.each(Object.entries(DIRECTIVE_SAMPLES))('%s comes to operations', async (_, sample) => {
    const { of = 'photo.png', query, operations } = sample
    const { request } = await session.planRequest(project.path(of), readQuery(`?${query}`))
    expect(request.variants.map((variant) => variant.operations)).toEqual(operations)
    for (const each of operations) expect(() => resolveOperations(each)).not.toThrow()
  })

  it.each(Object.entries(DIRECTIVE_SAMPLES))('%s changes what an import gives', async (_, sample) => {
    const { of = 'photo.png', query, without } = sample
    expect(await moduleOf(of, query)).not.toBe(await moduleOf(of, without))
  })

  it.each(Object.entries(DIRECTIVE_SAMPLES))('%s with a wrong value is refused', async (_, { invalid }) => {
    await expect(moduleOf('photo.png', invalid)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
