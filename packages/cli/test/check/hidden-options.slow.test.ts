import { naming, photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const IMPORT = "import pixpress from 'unplugin-pixpress/vite'\n"

/** Returns the output of `check` for a new image and this configuration of the bundler. */
async function said(config: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  await folder.write({
    'package.json': JSON.stringify({ devDependencies: { 'unplugin-pixpress': '*', vite: '*' } }),
    'vite.config.ts': config,
    'src/a.jpg': await photo(64, 48).jpeg(97),
    ...files,
  })
  await folder.run(['check', 'src'])
  // The second run has nothing to compress, which is said too.
  return (await folder.run(['check', 'src'])).stderr
}

describe('options that stand in a bundler’s configuration alone', () => {
  it.each([
    ["pixpress({ quality: 'small', report: false })", "'quality', "],
    ["pixpress({ convert: { type: 'image/webp' }, effort: 'fast' })", "'convert' and 'effort', "],
    ['pixpress(options)', 'options of the plugin'],
    ['pixpress({ ...options })', 'options of the plugin'],
  ])('are named, with where to move them: %s', async (call, options) => {
    expect(await said(`${IMPORT}const options = make()\nexport default { plugins: [${call}] }\n`)).toEqual(
      naming('1 image', options, 'vite.config.ts', 'pixpress.config.ts', 'vite.config.ts'),
    )
  })

  it.each([
    ['of the defaults', 'pixpress()', ''],
    ['of what changes no image', "pixpress({ report: { json: 'a.json' }, lock: true })", ''],
    ['of shared options', 'pixpress(options)', "import options from './pixpress.config.js'\n"],
    [
      'of shared options and others',
      'pixpress({ ...options, report: false })',
      "import options from './pixpress.config'\n",
    ],
    ['of another plugin', 'other({ quality: 80 })', "import other from 'other-plugin'\n"],
  ])('nothing is said %s', async (_, call, imports) => {
    const shared = { 'pixpress.config.js': 'export default {}\n' }
    expect(await said(`${IMPORT}${imports}export default { plugins: [${call}] }\n`, shared)).toBe('')
  })

  it('nothing is said where the configuration has them too, or the lock knows the images', async () => {
    const config = `${IMPORT}export default { plugins: [pixpress({ quality: 'small' })] }\n`
    expect(await said(config, { 'pixpress.config.mjs': "export default { quality: 'small' }\n" })).toBe('')
    await folder.remove('pixpress.config.mjs')
    await folder.write({ 'pixpress.lock': '' })
    await folder.run(['compress', 'src', '--out', 'dist', '--quiet'])
    expect(await said(config)).toBe('')
  })
})
