import { photo, naming } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

beforeEach(async () => {
  await folder.write({
    'src/a.png': await photo(30, 20).png(),
    'src/main.ts': "import a from './a.png?w=10&as=img'\nexport { a }\n",
  })
})

describe('pixpress types', () => {
  it('writes the types, and tells whether they are up to date', async () => {
    expect(await folder.run(['types', 'src/pixpress.d.ts', '--check'])).toMatchObject({
      code: 1,
      stderr: naming('src/pixpress.d.ts', "'pixpress types'"),
    })
    expect(await folder.run(['types', 'src/pixpress.d.ts'])).toMatchObject({
      code: 0,
      stdout: 'pixpress  src/pixpress.d.ts: 1 query, written\n',
    })
    expect((await folder.read('src/pixpress.d.ts')).toString()).toContain("declare module '*?w=10&as=img' {")
    expect(await folder.run(['types', 'src/pixpress.d.ts', '--check'])).toMatchObject({
      code: 0,
      stdout: naming('src/pixpress.d.ts', '1 query'),
    })
    await folder.write({ 'src/more.ts': "import b from './a.png?w=12'\nexport { b }\n" })
    expect((await folder.run(['types', 'src/pixpress.d.ts', '--check'])).code).toBe(1)
  })

  it('takes the file, the presets and the rest from the configuration', async () => {
    await folder.write({
      'pixpress.config.mjs':
        "export default { types: 'src/images.d.ts', presets: { hero: { w: [5, 10], as: 'srcset' } } }\n",
      'src/hero.ts': "import hero from './a.png?preset=hero'\nexport { hero }\n",
    })
    expect(await folder.run(['types'])).toMatchObject({
      code: 0,
      stdout: 'pixpress  src/images.d.ts: 2 queries, written\n',
    })
    const text = (await folder.read('src/images.d.ts')).toString()
    expect(text).toContain("declare module '*?preset=hero' {\n  const value: string\n")
    expect(text).toContain('// options: {"presets":{"hero":{"w":[5,10],"as":"srcset"}}}\n')
  })

  it('names wrong imports and ends with code 1', async () => {
    await folder.write({ 'src/wrong.ts': "import w from './a.png?preset=nothing'\nexport { w }\n" })
    expect(await folder.run(['types', 'src/pixpress.d.ts'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('src/wrong.ts:1: '),
    })
  })

  it.each([
    [[], "Expected the file of the types: pixpress types src/pixpress.d.ts, or 'types' in pixpress.config."],
    [['a', 'b'], 'Expected one file: pixpress types src/pixpress.d.ts.'],
  ])('%j is wrong usage', async (args, message) => {
    expect(await folder.run(['types', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})
