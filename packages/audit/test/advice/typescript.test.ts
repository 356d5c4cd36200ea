import { describe, expect, it } from 'vitest'
import { typeEdits } from '../../src/advice/typescript.ts'
import { useTemporaryFolder } from '@pixpress/testkit'

const folder = useTemporaryFolder()
const LINE = '/// <reference types="unplugin-pixpress/client" />\n'
const BUNDLER = '/// <reference types="vite/client" />\n'
const CHANGE = {
  file: 'src/a.ts',
  before: "import a from './a.jpg'\n",
  after: "import a from './a.jpg?w=300&as=url'\n",
}

const edited = async (texts: Record<string, string>, change = CHANGE): Promise<Record<string, string>> => {
  const changes = await typeEdits(folder.path, new Map(Object.entries({ ...texts, [change.file]: change.before })), [
    change,
  ])
  return Object.fromEntries(changes.map(({ file, after }) => [file, after]))
}

describe('typeEdits', () => {
  it('loads our types where those of the bundler are loaded, else in the script', async () => {
    expect(await edited({ 'src/vite-env.d.ts': BUNDLER })).toEqual({
      'src/a.ts': CHANGE.after,
      'src/vite-env.d.ts': BUNDLER + LINE,
    })
    expect(await edited({})).toEqual({ 'src/a.ts': LINE + CHANGE.after })
  })

  it('does nothing where they are loaded already, or TypeScript reads nothing of it', async () => {
    expect(await edited({ 'src/env.d.ts': LINE })).toEqual({ 'src/a.ts': CHANGE.after })
    expect(await edited({ 'src/vite-env.d.ts': BUNDLER }, { ...CHANGE, file: 'src/a.js' })).toEqual({
      'src/a.js': CHANGE.after,
    })
    await folder.write({ 'tsconfig.json': '{ "compilerOptions": { "types": ["unplugin-pixpress/client"] } }' })
    expect(await edited({ 'src/vite-env.d.ts': BUNDLER })).toEqual({ 'src/a.ts': CHANGE.after })
  })
})
