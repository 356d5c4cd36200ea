import { createHash } from 'node:crypto'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { graphic, photo, naming } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSession } from '../../../unplugin/src/session/index.ts'
import { resolvePluginOptions } from '../../../unplugin/src/session/options/resolve.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

interface Line {
  readonly source: string
  readonly bytes: number
  readonly draft?: true
  readonly result: string
}

const lines = async (): Promise<Line[]> =>
  (await folder.read('pixpress.lock'))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)
const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** A build without any time: every image is a draft. */
beforeEach(async () => {
  await folder.write({
    'large.jpg': await photo(160, 120, 1).jpeg(97),
    'small.jpg': await photo(96, 72, 2).jpeg(97),
    'text.png': await graphic(120, 90).png(),
    'pixpress.config.mjs': `export default { effort: 'auto', firstBuild: 1, convert: { type: ['image/webp'] } }\n`,
  })
  const session = createSession(
    resolvePluginOptions(
      { effort: 'auto', firstBuild: 1, convert: { type: 'image/webp' }, report: false },
      folder.path,
    ),
  )
  for (const name of ['large.jpg', 'small.jpg', 'text.png']) {
    await session.finish(await session.plan(path.join(folder.path, name)), () => undefined)
  }
  await session.endBuild()
})

describe('pixpress refine', () => {
  it("makes the final results of drafts, which are those of effort 'default'", async () => {
    expect((await lines()).map(({ draft }) => draft)).toEqual([true, true, true])
    expect(await folder.run(['refine', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: 'pixpress  pixpress.lock: 3 drafts.\n',
    })
    const { code, stdout } = await folder.run(['refine'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^pixpress {2}pixpress\.lock: 3 drafts refined: [\d.]+ kB → [\d.]+ kB \(.*\)\.\n$/)
    const optimizer = createOptimizer()
    for (const { source, draft, result } of await lines()) {
      expect(draft).toBeUndefined()
      const { data } = await optimizer.optimize(await folder.read(source), { convert: { type: ['image/webp'] } })
      expect(result).toBe(sha256(data))
    }
    await optimizer.close()
    expect((await folder.run(['refine'])).stdout).toBe('pixpress  pixpress.lock: no drafts.\n')
  })

  it('begins with those that are expected to save most, and stops when its time is over', async () => {
    const [largest] = (await lines()).toSorted((a, b) => b.bytes - a.bytes)
    const { stdout } = await folder.run(['refine', '--budget', '1ms', '-j', '1', '--json'])
    const { made, left } = JSON.parse(stdout) as { made: number; left: number }
    expect(made).toBeGreaterThan(0)
    expect(made + left).toBe(3)
    const drafts = (await lines()).flatMap(({ source, draft }) => (draft ? [source] : []))
    expect(drafts).toHaveLength(left)
    expect(drafts).not.toContain(largest!.source)
  })

  it('refuses a time that is none', async () => {
    expect(await folder.run(['refine', '--budget', 'soon'])).toMatchObject({
      code: 2,
      stderr: naming("'--budget'", "'soon'") as string,
    })
  })
})

describe('pixpress compress with drafts in the lock', () => {
  it('makes no drafts: what it writes is final', async () => {
    await folder.run(['compress', 'large.jpg', '--out', 'out'])
    expect((await lines()).map(({ source, draft }) => [source, draft])).toEqual([
      ['large.jpg', undefined],
      ['small.jpg', true],
      ['text.png', true],
    ])
  })
})
