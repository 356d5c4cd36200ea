import { photo } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/commands/index.ts'
import { useFolder } from './command-line.ts'

const folder = useFolder()
let image: Buffer

beforeAll(async () => {
  image = await photo(120, 90).jpeg(97)
})

const LOCK = { 'pixpress.config.mjs': 'export default { lock: true }\n' }

/** A run of each command that ends with 0, and what it needs to be there; in order, the commands before it. */
const RUNS: Readonly<Record<string, { files?: Record<string, string>; before?: string[][]; args: string[] }>> = {
  compress: { args: ['src'] },
  batch: { args: ['--from', 'src', '--to', 'out'] },
  check: { before: [['compress', 'src', '--quiet']], args: ['src'] },
  restore: { before: [['compress', 'src', '--quiet']], args: [] },
  report: { files: { 'report.json': '' }, args: ['report.json'] },
  refine: { files: LOCK, before: [['compress', 'src', '--quiet']], args: [] },
  upgrade: { files: LOCK, before: [['compress', 'src', '--quiet']], args: [] },
  cache: { before: [['compress', 'src', '--quiet']], args: ['stats'] },
  doctor: { args: [] },
  types: { files: { 'src/a.js': "import a from './a.jpg?w=30'\n" }, args: ['types.d.ts'] },
  init: { files: { 'package.json': '{"devDependencies":{"vite":"7.0.0"}}' }, args: [] },
  migrate: {
    files: {
      'package.json':
        '{\n  "devDependencies": {\n    "vite": "7.0.0",\n    "vite-plugin-image-optimizer": "2.0.0"\n  }\n}\n',
      'vite.config.js':
        "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\nexport default { plugins: [ViteImageOptimizer({})] }\n",
    },
    args: ['image-optimizer'],
  },
}

/**
 * Programs read the output of these, or they never end; `audit` has a test of its own where there is a browser, and
 * `keys` and `storage` have one where there is SQLite, `work` where there is Redis.
 */
const EXCEPT = ['completion', 'serve', 'audit', 'keys', 'storage', 'work']

describe('the last line of a command that ends with 0', () => {
  it('is looked at for every command', () => {
    expect([...Object.keys(RUNS), ...EXCEPT].sort()).toEqual(Object.keys(COMMANDS).sort())
  })

  it.each(Object.keys(RUNS))('begins with the name and says what was achieved: %s', async (name) => {
    const { files = {}, before = [], args } = RUNS[name]!
    await folder.write({ 'src/a.jpg': image, ...files })
    for (const each of before) expect((await folder.run(each)).code).toBe(0)
    if (name === 'report') {
      const { bytes } = await folder.run(['compress', 'src', '--json', '--dry-run'])
      await folder.write({ 'report.json': bytes })
    }
    const { code, stdout } = await folder.run([name, ...args])
    expect({ code, end: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      end: expect.stringMatching(/^pixpress {2}\S/) as string,
    })
  })
})
