import path from 'node:path'
import { useTemporaryFolder } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { hasDefaultDirectives } from '../../src/sources/defaults.ts'

const folder = useTemporaryFolder()

const WITH = "export default { plugins: [pixpress({ defaultDirectives: { as: 'picture' } })] }"

const isFound = (): Promise<boolean> => hasDefaultDirectives(path.join(folder.path, 'packages/site'), new Map())

it.each(['packages/site/.vitepress/config.ts', 'packages/site/build/webpack.prod.js', 'vite.config.base.ts'])(
  'finds default directives in %s',
  async (file) => {
    await folder.write({ '.git/HEAD': '', 'packages/site/src/a.js': WITH.replace('defaultDirectives', 'presets') })
    expect(await isFound()).toBe(false)
    await folder.write({ [file]: WITH })
    expect(await isFound()).toBe(true)
  },
)

it('looks at no folder above a project that is in no repository, and at no text but scripts', async () => {
  await folder.write({ 'vite.config.ts': WITH, 'packages/site/src/a.js': '' })
  expect(await isFound()).toBe(false)
  expect(await hasDefaultDirectives(folder.path, new Map([['a.md', WITH]]))).toBe(true)
  expect(await hasDefaultDirectives(path.join(folder.path, 'packages/site'), new Map([['a.md', WITH]]))).toBe(false)
})
