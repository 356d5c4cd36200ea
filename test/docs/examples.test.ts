import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { rollup } from 'rollup'
import pixpress from 'unplugin-pixpress/rollup'
import type { Options } from 'unplugin-pixpress/rollup'
import { afterAll, describe, expect, it } from 'vitest'
import { markdownFiles, readPage } from './markdown.ts'

/** The options that a page gives the plugin, as texts: what stands between the parentheses of `pixpress({ … })`. */
function optionsOf(page: string): string[] {
  const found: string[] = []
  for (const { index, 0: call } of page.matchAll(/\bpixpress(?:\.\w+)?\(\{/g)) {
    const start = index + call.length - 1
    let depth = 0
    let end = start
    do {
      depth += page[end] === '{' ? 1 : page[end] === '}' ? -1 : 0
      end++
    } while (depth > 0 && end < page.length)
    found.push(page.slice(start, end).replaceAll(/ \/\/ .*$/gm, ''))
  }
  // An ellipsis stands for options of the reader's.
  return found.filter((text) => !text.includes('…'))
}

const EXAMPLES: [file: string, options: string][] = []
for (const file of await markdownFiles()) {
  for (const options of optionsOf(await readPage(file))) EXAMPLES.push([file, options.replaceAll(/\s+/g, ' ')])
}

/** Variables of the environment, each with a value. */
const ENVIRONMENT = new Proxy({}, { get: (_, name) => `value-of-${String(name)}` })

const pem = (): string => '-----BEGIN CERTIFICATE-----\\n-----END CERTIFICATE-----\\n'

// The variable that the plugin reads by itself.
const { PIXPRESS_CACHE_KEY } = process.env
process.env.PIXPRESS_CACHE_KEY = 'a signing key for the examples of the documentation'
afterAll(() => {
  if (PIXPRESS_CACHE_KEY === undefined) delete process.env.PIXPRESS_CACHE_KEY
  else process.env.PIXPRESS_CACHE_KEY = PIXPRESS_CACHE_KEY
})

/** Some options write files. */
const root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-docs-'))
afterAll(() => rm(root, { recursive: true, force: true }))

/** Builds a script without images, with the plugin as it would be configured. */
async function build(options: Options): Promise<void> {
  const script = { name: 'script', resolveId: (id: string) => id, load: () => 'export default 1' }
  const bundle = await rollup({ input: 'script.js', plugins: [pixpress({ root, report: false, ...options }), script] })
  await bundle.close()
}

describe('the options that the documentation shows', () => {
  it('are found by this test', () => {
    const files = EXAMPLES.map(([file]) => file)
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'docs/options.md', 'docs/migrating-from-vite-imagetools.md']),
    )
  })

  it.each(EXAMPLES)('are accepted by the plugin in %s: %s', async (_file, text) => {
    // TypeScript's assertions that a variable is there.
    const code = text.replaceAll(/(?<=process\.env\.\w+)!/g, '')
    // oxlint-disable-next-line no-new-func -- The text of the documentation is the code of its readers.
    const options = new Function('process', 'readFileSync', `return (${code})`)({ env: ENVIRONMENT }, pem) as Options
    await expect(build(options)).resolves.toBeUndefined()
  })

  it('would be refused if one were unknown', async () => {
    await expect(build({ qualty: 'high' } as Options)).rejects.toThrow(/quality/)
  })
})
