import path from 'node:path'
import { cp } from 'node:fs/promises'
import {
  FORMAT_OF_EXTENSION,
  createProject,
  danglingReferences,
  decode,
  detect,
  expectSimilar,
  readReferences,
} from '@pixpress/testkit'
import type { EmittedReference, ImageFormat, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { carries } from './capabilities.ts'
import type { Bundler } from './capabilities.ts'
import { describeDirectives } from './directives.ts'
import { describeFailures } from './failures.ts'
import { locate, textValue } from './locate.ts'
import type { BuiltSite } from './locate.ts'
import { RESULTS, borrowResults, lendResults } from './shared-cache.ts'
import { DIRECTIVE_VARIANTS, SITE, SITE_PRESETS, composeSite } from './site.ts'
import type { Expectation } from './site.ts'
import { describeTruth } from './truth.ts'

/** The plugin that builds again: of the bundler's entry, in this folder and in another, or of the default export. */
type Again = 'entry' | 'default export'

/** The plugin-wide conversions that every bundler is tried with. */
const MODES = {
  'same format': { options: { lock: true }, types: [], again: 'entry' },
  'converted to WebP': { options: { convert: { type: 'image/webp' } }, types: ['webp'], again: 'default export' },
  'converted to the smallest of a list': {
    options: { convert: { type: ['image/avif', 'image/webp', 'image/jpeg'] } },
    types: ['avif', 'webp', 'jpeg'],
    again: 'entry',
  },
} as const satisfies Record<string, { options: object; types: readonly ImageFormat[]; again: Again }>

/** Truecolour photographs and screenshots in PNG, which every lossy type beats by far. */
const SURELY_CONVERTED: ReadonlySet<string> = new Set(['cat.png', 'screenshot.png', 'astronaut.png'])

/**
 * A type that is demanded may be unable to reach the score at thumbnail sizes, and the engine says so. Rolldown remarks
 * on every plugin that takes its time, as an image encoder has to.
 */
const EXPECTED_WARNINGS = /photo\.jpg: The best image\/webp scores|\[PLUGIN_TIMINGS\]/

/** Describes the promises of every bundler's adapter, on one site. */
export function describeContract(bundler: Bundler): void {
  describe.skipIf(!canBuild(bundler))(bundler, () => {
    for (const [mode, { options, types, again }] of Object.entries(MODES)) {
      describe(mode, () => describeMode(bundler, { presets: SITE_PRESETS, ...options }, types, again))
    }
    describeFailures(bundler)
    describeTruth(bundler)
  })
}

function describeMode(bundler: Bundler, options: object, types: readonly ImageFormat[], again: Again): void {
  const { files, expectations } = composeSite(bundler)
  const converts = types.length > 0
  const processed = expectations.filter(({ becomes }) => becomes === undefined || becomes === 'processed')
  let project: Project
  let cold: BuildResult
  let site: BuiltSite
  let references: EmittedReference[]

  beforeAll(async () => {
    project = await createProject(`contract-${bundler}`, { files, packages: ['@farmfe/core'] })
    // Every bundler encodes what takes least; what is converted is work that the bundlers do once for all of them.
    if (converts) await borrowResults(project)
    cold = await buildOrThrow(project, bundler, options)
    if (converts) await lendResults(project)
    references = await readReferences(project.path(cold.outDir))
    const emitted = await readOutput(project)
    site = { files: emitted, page: cold.page, values: await evaluate(project, cold) }
  })
  afterAll(() => project?.dispose())

  it('builds without warnings', () => {
    expect(cold.warnings.filter((text) => !EXPECTED_WARNINGS.test(text))).toEqual([])
    expect(cold.report?.failures).toEqual([])
  })

  if ('lock' in options) {
    it('has a line in the lock for every image of its report', async () => {
      const [header, ...rows] = (await project.read('pixpress.lock')).toString().trimEnd().split('\n')
      expect(header).toBe('{"lock":1}')
      const lines = rows.map((row) => JSON.parse(row) as { source: string; type: string; bytes: number })
      expect(lines.map(({ source, type, bytes }) => `${source} ${type} ${bytes}`)).toEqual(
        expect.arrayContaining(cold.report!.images.map(({ source, type, after }) => `${source} ${type} ${after}`)),
      )
    })
  }

  it('leaves no reference that leads nowhere', () => {
    expect(danglingReferences(references)).toEqual([])
    expect(
      references.filter(({ target, inlined }) => target !== undefined || inlined !== undefined).length,
    ).toBeGreaterThan(5)
  })

  it('emits no image that nothing refers to', () => {
    const used = new Set(references.map(({ target }) => target))
    const copied = new Set(expectations.flatMap(({ at }) => ('file' in at ? [at.file] : [])))
    const unused = imagesOf(site).filter((file) => !used.has(file) && !copied.has(file))
    // Farm writes what a module asked for, also where a srcset leaves it out as its wider image takes fewer bytes. Here
    // another import refers to the same bytes.
    const isTwin = (file: string): boolean =>
      bundler === 'farm' &&
      [...used].some((name) => name !== undefined && site.files.get(name)?.equals(site.files.get(file)!))
    expect(unused.filter((file) => !isTwin(file))).toEqual([])
  })

  it('emits whole images whose bytes are what their name says', async () => {
    for (const file of imagesOf(site)) {
      const bytes = site.files.get(file)!
      expect([file, detect(bytes)]).toEqual([file, FORMAT_OF_EXTENSION[path.extname(file).slice(1)]])
      await decode(bytes)
    }
  })

  it.each(processed.map((expectation) => [title(expectation), expectation] as const))('%s', async (_, expectation) => {
    const { url, bytes } = locate(expectation, site)
    const source = sourceBytes(files, expectation)
    const { type, frames } = await decode(bytes)
    const own = detect(source)!
    const allowed = expectation.keepsType === true || own === 'svg' ? [own] : [own, ...types]
    expect(allowed).toContain(type)
    if (converts && SURELY_CONVERTED.has(path.basename(expectation.source)) && expectation.keepsType !== true) {
      expect(types).toContain(type)
    }
    if (url.startsWith('data:')) expect(url).toMatch(new RegExp(`^data:image/${type}`))
    expect(bytes.length).toBeLessThanOrEqual(source.length)
    expect(frames).toBe((await decode(source)).frames)
    await expectSimilar(bytes, source, 6)
  })

  it('compresses', () => {
    let before = 0
    let after = 0
    for (const expectation of processed) {
      before += sourceBytes(files, expectation).length
      after += locate(expectation, site).bytes.length
    }
    expect(after).toBeLessThan(before * 0.75)
  })

  if (carries(bundler, 'js-inline'))
    it('inlines processed bytes for ?inline', async () => {
      for (const expectation of expectations.filter(({ becomes }) => becomes === 'inlined')) {
        const { url, bytes } = locate(expectation, site)
        expect(url).toMatch(/^data:image\//)
        expect(bytes.length).toBeLessThan(sourceBytes(files, expectation).length)
        await expectSimilar(bytes, sourceBytes(files, expectation), 6)
      }
    })

  if (carries(bundler, 'js-original'))
    it('hands out the untouched bytes for ?original', () => {
      for (const expectation of expectations.filter(({ becomes }) => becomes === 'original')) {
        const { url, bytes } = locate(expectation, site)
        expect(bytes.equals(sourceBytes(files, expectation))).toBe(true)
        expect(url).not.toContain('?')
      }
    })

  if (carries(bundler, 'js-raw'))
    it('leaves ?raw to the bundler', () => {
      for (const expectation of expectations.filter(({ becomes }) => becomes === 'text')) {
        expect(textValue(expectation, site)).toBe(sourceBytes(files, expectation).toString())
      }
    })

  it('encodes every image once', () => {
    const { images, totals } = cold.report!
    const { least, most } = uniqueWork(expectations, converts, carries(bundler, 'js-directives'))
    expect(images.length).toBeGreaterThanOrEqual(least)
    expect(images.length).toBeLessThanOrEqual(most)
    expect(totals).toMatchObject({ images: images.length, encoded: images.length - totals.cached, failed: 0 })
    if (!converts) expect(totals.cached).toBe(0)
  })

  if (carries(bundler, 'js-directives')) describeDirectives(() => site, types)

  it(`encodes nothing the second time, and emits the same bytes, with the plugin of the ${again}`, async () => {
    const warm = await buildOrThrow(project, bundler, options, { outDir: 'warm', from: again })
    expect(warm.report!.totals).toMatchObject({ encoded: 0, cached: cold.report!.totals.images })
    expectSameFiles(await readOutput(project, 'warm'), site.files)
  })

  if (again === 'entry')
    it('emits the same bytes from another folder, and finds the same work in the cache', async () => {
      const other = await createProject(`contract-${bundler}-elsewhere`, { files, packages: ['@farmfe/core'] })
      try {
        await cp(project.path(RESULTS), other.path(RESULTS), { recursive: true })
        const moved = await buildOrThrow(other, bundler, options)
        expect(moved.report!.totals.encoded).toBe(0)
        expectSameFiles(await readOutput(other), site.files)
        for (const [file, bytes] of site.files) {
          if (/\.(?:js|css|html|map|json)$/.test(file)) {
            expect([file, bytes.includes(project.root), bytes.includes(RESULTS)]).toEqual([file, false, false])
          }
        }
      } finally {
        await other.dispose()
      }
    })

  if (!converts)
    it('gives other names to what another option has changed', async () => {
      await borrowResults(project)
      const changed = await buildOrThrow(project, bundler, { ...options, quality: 40 }, { outDir: 'changed' })
      await lendResults(project)
      const output = await readOutput(project, 'changed')
      const renamed = [...output.keys()].filter((file) => isHashed(file) && !site.files.has(file))
      // Small images are inlined, where the bundler does that, and have no name.
      expect(renamed.filter((file) => isImage(file)).length).toBeGreaterThan(0)
      for (const [file, bytes] of output) {
        if (isHashed(file) && site.files.has(file))
          expect([file, bytes.equals(site.files.get(file)!)]).toEqual([file, true])
      }
      expect(danglingReferences(await readReferences(project.path(changed.outDir)))).toEqual([])
    })
}

/**
 * How many images there are to encode: what differs in bytes or operations. Asking a JPEG for a JPEG is only another
 * operation where images are converted otherwise. An image that is bound to its type in one place and free in another
 * is work for two, unless the bundler finds that both come to the same name. A width that is converted as all are may
 * be the very image that another reference names by its type: the report has them as one.
 */
function uniqueWork(
  expectations: readonly Expectation[],
  converts: boolean,
  directives: boolean,
): { least: number; most: number } {
  const variants = converts ? DIRECTIVE_VARIANTS : DIRECTIVE_VARIANTS.map((variant) => variant.replace(/ jpeg$/, ''))
  const sources = new Set<string>()
  const bound = new Set<string>()
  const free = new Set<string>()
  for (const { source, becomes, keepsType } of expectations) {
    if (becomes === 'text' || becomes === 'original') continue
    sources.add(source)
    ;(keepsType === true ? bound : free).add(source)
  }
  const both = [...bound].filter((source) => free.has(source)).length
  const alike = DIRECTIVE_VARIANTS.filter((each) => variants.some((other) => other.startsWith(`${each} `))).length
  // Scripts import a drawing that stylesheets show as a picture.
  const drawings = [...sources].filter((source) => source.endsWith('.svg')).length
  const all = sources.size + (directives ? new Set(variants).size : 0)
  return { least: converts && directives ? all - alike : all, most: all + drawings + (converts ? both : 0) }
}

function expectSameFiles(actual: ReadonlyMap<string, Buffer>, expected: ReadonlyMap<string, Buffer>): void {
  expect([...actual.keys()]).toEqual([...expected.keys()])
  for (const [file, bytes] of actual) expect([file, bytes.equals(expected.get(file)!)]).toEqual([file, true])
}

/** The site's files that are named after their content. */
const isHashed = (file: string): boolean => !/\.html$|^banner\.|^media\/|^main\.js$/.test(file)

const isImage = (file: string): boolean => path.extname(file).slice(1) in FORMAT_OF_EXTENSION

const imagesOf = ({ files }: BuiltSite): string[] => [...files.keys()].filter(isImage)

function sourceBytes(files: Readonly<Record<string, string | Uint8Array>>, { source }: Expectation): Buffer {
  const bytes = files[source]
  if (bytes === undefined) throw new Error(`${source} is not in ${SITE}`)
  return Buffer.from(bytes)
}

function title({ kind, at, source }: Expectation): string {
  return `${kind}: ${'element' in at ? `${at.element}[${at.attribute}] ` : ''}${path.posix.basename(source)}`
}
