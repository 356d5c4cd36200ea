import path from 'node:path'
import { createProject, expectSimilar, graphic, photo, schemaDisagreements, startImageServer } from '@pixpress/testkit'
import type { ImageServer, Project, RunResult } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '@pixpress/core/report'
import schema from '../../docs/report.schema.json' with { type: 'json' }
import { leaks } from './secrets.ts'

const KEY = 'only-tests-use-this-key-command'
const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

let server: ImageServer
let project: Project
const sources: Record<string, Buffer> = {}

/** The configuration takes the key from the environment, as one that is committed should. */
const configuration = (): string => `import { readFileSync } from 'node:fs'
export default {
  engine: {
    endpoint: ${JSON.stringify(server.endpoint)},
    key: process.env.IMAGES_KEY,
    ca: readFileSync(new URL('./ca.pem', import.meta.url)),
  },
}
`

beforeAll(async () => {
  server = await startImageServer({ key: KEY })
  sources['photo.jpg'] = await photo(240, 160).jpeg(95)
  sources['logo.png'] = await graphic(240, 160).png()
  sources['nested/other.jpg'] = await photo(200, 160, 4).jpeg(95)
  project = await createProject('remote-command', { packages: [] })
  for (const [file, data] of Object.entries(sources)) await project.write(`images/${file}`, data)
  await project.write('ca.pem', server.ca)
  await project.write('pixpress.config.mjs', configuration())
})
afterAll(async () => {
  await project?.dispose()
  await server?.close()
})

interface Run extends RunResult {
  readonly report: Report
}

async function compress(flags: readonly string[], env: Record<string, string> = { IMAGES_KEY: KEY }): Promise<Run> {
  const args = [COMMAND, 'compress', 'images', '--json', '--cache-dir', 'cache', ...flags]
  const result = await project.exec(process.execPath, { args, env: { PIXPRESS_KEY: undefined, ...env } })
  const { stdout, stderr } = result
  expect(await leaks(KEY, project, { stdout, stderr })).toEqual([])
  if (result.code !== 0) throw new Error(`The command ended with ${result.code}: ${stderr}`)
  return { ...result, report: JSON.parse(stdout) as Report }
}

describe('pixpress compress with a server', () => {
  it('sends each image once and says what it used', async () => {
    const { report, stderr } = await compress(['--out', 'first'])
    expect(stderr).toBe('')
    expect(schemaDisagreements(report, schema)).toEqual([])
    expect(report.remote).toMatchObject({ compressions: 3, unanswered: 0, saved: 0, images: 3, reasons: [] })
    expect(report.remote!.keys).toEqual([{ key: '…mand', compressions: 3, month: 3, limit: null }])
    expect(await server.compressions()).toBe(3)
    expect(server.uploads).toBe(3)
    for (const [file, source] of Object.entries(sources)) {
      const result = await project.read(`first/${file}`)
      expect(result.length).toBeLessThan(source.length)
      await expectSimilar(result, source)
    }
  })

  it('sends nothing the second time', async () => {
    const asked = server.requests.length
    const { report } = await compress(['--out', 'second'])
    expect(report.remote).toMatchObject({ compressions: 0, saved: 3, images: 0 })
    expect(await server.compressions()).toBe(3)
    expect(server.requests).toHaveLength(asked)
    for (const file of Object.keys(sources)) {
      expect((await project.read(`second/${file}`)).equals(await project.read(`first/${file}`))).toBe(true)
    }
  })

  it('sends nothing for what it has written in place itself', async () => {
    await compress([])
    const { report } = await compress([])
    expect(report.remote?.compressions ?? 0).toBe(0)
    expect(await server.compressions()).toBe(3)
  })

  it('takes the address from a flag and the key from the environment', async () => {
    await project.write('images/new.jpg', await photo(220, 150, 9).jpeg(95))
    await project.write('pixpress.config.mjs', 'export default {}\n')
    const env = { PIXPRESS_KEY: KEY, NODE_EXTRA_CA_CERTS: project.path('ca.pem') }
    const { report } = await compress(['--out', 'third', '--engine', server.endpoint], env)
    expect(report.remote).toMatchObject({ compressions: 1, images: 1 })
    expect(await server.compressions()).toBe(4)
  })
})
