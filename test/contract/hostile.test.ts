import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { createProject, decode, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { buildOrThrow, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { follow } from './locate.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/hostile')
const MIB = 1024 * 1024

/** The limit of the whole build process, the bundler included. */
const MEMORY_LIMIT = 700 * MIB

/** Milliseconds for a build of all of them: many times what one takes, so that no machine is too slow. */
const PATIENCE = 600_000

/** The same for a collection with honest pictures of up to 36 megapixels. */
const COLLECTION_MEMORY_LIMIT = 1100 * MIB

/**
 * Files that no reading of the format gives a picture for, or whose size is beyond every limit: these have to be named
 * and kept. The decoder decides about a file that is merely damaged, as long as the result is right.
 */
const HOPELESS: readonly string[] = [
  'avif/ftyp-only.avif',
  'bombs/avif-ispe-2147483647x2147483647.avif',
  'bombs/jpg-claims-65500x65500.jpg',
  'bombs/jpg-prog-claims-30000x30000.jpg',
  'bombs/png-claims-1000000x1000000.png',
  'bombs/png-claims-1x2147483647.png',
  'bombs/png-claims-4294967295x4294967295.png',
  'bombs/png-claims-65536x65536.png',
  'bombs/webp-claims-16M.webp',
  'empty/nulls.webp',
  'empty/random-4k.jpg',
  'empty/text.png',
  'empty/zero.avif',
  'empty/zero.gif',
  'empty/zero.jpg',
  'empty/zero.png',
  'empty/zero.svg',
  'empty/zero.webp',
  'jpeg/seg-beyond-eof.jpg',
  'jpeg/soi-only.jpg',
  'png/no-idat.png',
  'png/zero-width.png',
  'truncated/apng-first24.png',
  'truncated/avif-first24.avif',
  'truncated/jpg-first12.jpg',
]

describe('hostile images', () => {
  let project: Project | undefined
  afterEach(async () => {
    await project?.dispose()
    project = undefined
  })

  /** Builds a site that imports every one of the files, and gives what each import leads to. */
  async function buildAll(
    files: Readonly<Record<string, Uint8Array>>,
    timeout: number,
  ): Promise<{ result: BuildResult; delivered: Map<string, Buffer> }> {
    const names = Object.keys(files)
    const main = [
      ...names.map((name, index) => `import image${index} from ${JSON.stringify(`./${name}`)}`),
      `globalThis.site = { images: { ${names.map((name, index) => `${JSON.stringify(name)}: image${index}`).join(', ')} } }`,
    ].join('\n')
    project = await createProject('hostile', {
      files: { 'src/main.js': main, ...Object.fromEntries(names.map((name) => [`src/${name}`, files[name]!])) },
    })
    const result = await buildOrThrow(project, 'rollup', { convert: { type: ['image/webp'] } }, { timeout })
    const values = (await evaluate(project, result)).images!
    const site = { files: await readOutput(project), page: undefined, values: {} }
    return {
      result,
      delivered: new Map(names.map((name) => [name, follow(values[name] as string, site, '').bytes])),
    }
  }

  /** Every file is either named and left as it was, or has become something that browsers can show. */
  async function expectSane(
    files: Readonly<Record<string, Uint8Array>>,
    { result, delivered }: Awaited<ReturnType<typeof buildAll>>,
  ): Promise<ReadonlySet<string>> {
    const failed = new Set(result.report!.failures.map(({ source }) => source.replace(/^src\//, '')))
    const wrong: string[] = []
    for (const [name, source] of Object.entries(files)) {
      const bytes = delivered.get(name)!
      if (failed.has(name)) {
        const warnings = result.warnings.filter(
          (text) => text.includes(`src/${name}: `) && text.includes('The original is kept'),
        )
        if (!bytes.equals(source)) wrong.push(`${name}: broken, but changed`)
        if (warnings.length !== 1) wrong.push(`${name}: kept with ${warnings.length} warnings`)
      } else if (!bytes.equals(source)) {
        if (bytes.length > source.length) wrong.push(`${name}: has grown`)
        const whole = detect(bytes) === 'svg' || (await decode(bytes).then(Boolean, () => false))
        if (!whole) wrong.push(`${name}: has become no image`)
      }
    }
    expect(wrong).toEqual([])
    return failed
  }

  it(
    'are named and kept, or become right, in little memory',
    async () => {
      const files = readImages(FIXTURES)
      const built = await buildAll(files, PATIENCE)
      const failed = await expectSane(files, built)
      expect(HOPELESS.filter((name) => !failed.has(name))).toEqual([])
      expect(failed.size).toBeLessThan(Object.keys(files).length * 0.8)
      expect(built.result.peakBytes).toBeLessThan(MEMORY_LIMIT)
    },
    PATIENCE,
  )

  it('have names that bundlers and terminals trip over', async () => {
    const bytes = await photo(40, 30).png()
    const names = [
      `it's "quoted".png`,
      'dollar-$&-${x}-`tick`.png',
      'a%20b%2Fc.png',
      'semi;colon,comma.png',
      '(brackets) [x] {y}.png',
      'ünï-日本-🌄.png',
      '<svg onload=alert(1)>.png',
      '-rf.png',
      ...(process.platform === 'win32' ? [] : ['line\nbreak.png', '\u001b[31mred.png']),
    ]
    const built = await buildAll(
      Object.fromEntries(names.map((name, index) => [name, Buffer.concat([bytes, Buffer.from([index])])])),
      60_000,
    )
    for (const name of names) {
      expect([name, (await decode(built.delivered.get(name)!)).width]).toEqual([name, 40])
    }
    expect(built.result.process.stdout).not.toContain('\u001b[31mred')
    expect(built.result.report!.totals).toMatchObject({ failed: 0, images: names.length })
  })

  const collection = process.env.PIXPRESS_IMAGES
  if (collection !== undefined)
    it('hold for a whole collection', async () => {
      const files = readImages(path.join(collection!, 'hostile'))
      const built = await buildAll(files, 900_000)
      await expectSane(files, built)
      expect(built.result.peakBytes).toBeLessThan(COLLECTION_MEMORY_LIMIT)
    }, 1_000_000)
})

function readImages(folder: string): Record<string, Uint8Array> {
  const images: Record<string, Uint8Array> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:jpe?g|png|webp|avif|gif|svg)$/.test(entry.name)) continue
    const file = path.join(entry.parentPath, entry.name)
    images[path.relative(folder, file).split(path.sep).join('/')] = readFileSync(file)
  }
  return images
}
