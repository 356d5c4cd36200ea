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
import type { EmittedReference, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { carries } from './capabilities.ts'
import type { Bundler } from './capabilities.ts'
import { describeDirectives } from './directives.ts'
import { describeFailures } from './failures.ts'
import { locate, textValue } from './locate.ts'
import type { BuiltSite } from './locate.ts'
import { RESULTS } from './shared-cache.ts'
import { DIRECTIVE_VARIANTS, SITE, SITE_PRESETS, composeSite } from './site.ts'
import type { Expectation } from './site.ts'
import { describeTruth } from './truth.ts'

/** The options of the site. These show that options arrive: the session's tests have what each of them does. */
const OPTIONS = { presets: SITE_PRESETS, convert: { type: 'image/webp' }, effort: 'fast', lock: true } as const

/** The image that another option changes. It becomes larger, so that no bundler inlines it. */
const CHANGED = '**/cat.png'

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
    describeSite(bundler)
    describeFailures(bundler)
    describeTruth(bundler)
  })
}

function describeSite(bundler: Bundler): void {
  const { files, expectations } = composeSite(bundler)
  const processed = expectations.filter(({ becomes }) => becomes === undefined || becomes === 'processed')
  let project: Project
  let cold: BuildResult
  let site: BuiltSite
  let references: EmittedReference[]

  beforeAll(async () => {
    project = await createProject(`contract-${bundler}`, { files })
    cold = await buildOrThrow(project, bundler, OPTIONS)
    references = await readReferences(project.path(cold.outDir))
    const emitted = await readOutput(project)
    site = { files: emitted, page: cold.page, values: await evaluate(project, cold) }
  })
  afterAll(() => project?.dispose())

  it('builds without warnings', () => {
    expect(cold.warnings.filter((text) => !EXPECTED_WARNINGS.test(text))).toEqual([])
    expect(cold.report?.failures).toEqual([])
    expect(cold.report?.untouched).toBeUndefined()
  })

  it('has a line in the lock for every image of its report', async () => {
    const [header, ...rows] = (await project.read('pixpress.lock')).toString().trimEnd().split('\n')
    expect(header).toBe('{"lock":1}')
    const lines = rows.map((row) => JSON.parse(row) as { source: string; type: string; bytes: number })
    expect(lines.map(({ source, type, bytes }) => `${source} ${type} ${bytes}`)).toEqual(
      expect.arrayContaining(cold.report!.images.map(({ source, type, after }) => `${source} ${type} ${after}`)),
    )
  })

  it('leaves no reference that leads nowhere', () => {
    expect(danglingReferences(references)).toEqual([])
    expect(
      references.filter(({ target, inlined }) => target !== undefined || inlined !== undefined).length,
    ).toBeGreaterThan(5)
  })

  it('emits no image that nothing refers to', () => {
    const used = new Set(references.map(({ target }) => target))
    const copied = new Set(expectations.flatMap(({ at }) => ('file' in at ? [at.file] : [])))
    expect(imagesOf(site).filter((file) => !used.has(file) && !copied.has(file))).toEqual([])
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
    const isBound = expectation.keepsType === true || own === 'svg'
    expect(isBound ? [own] : [own, 'webp']).toContain(type)
    if (SURELY_CONVERTED.has(path.basename(expectation.source)) && !isBound) expect(type).toBe('webp')
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
    const { least, most } = uniqueWork(expectations, carries(bundler, 'js-directives'))
    expect(images.length).toBeGreaterThanOrEqual(least)
    expect(images.length).toBeLessThanOrEqual(most)
    expect(totals).toMatchObject({ images: images.length, encoded: images.length, cached: 0, failed: 0 })
  })

  if (carries(bundler, 'js-directives')) describeDirectives(() => site)

  it('encodes nothing the second time, and emits the same bytes, with the plugin of the default export', async () => {
    const warm = await buildOrThrow(project, bundler, OPTIONS, { outDir: 'warm', from: 'default export' })
    expect(warm.report!.totals).toMatchObject({ encoded: 0, cached: cold.report!.totals.images })
    expectSameFiles(await readOutput(project, 'warm'), site.files)
  })

  it('emits the same bytes from another folder, where a frozen cache has all of them', async () => {
    const other = await createProject(`contract-${bundler}-elsewhere`, { files })
    try {
      await cp(project.path(RESULTS), other.path(RESULTS), { recursive: true })
      const moved = await buildOrThrow(other, bundler, OPTIONS, { env: { PIXPRESS_FROZEN: '1' } })
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

  it('gives other names to what another option has changed', async () => {
    const overrides = [{ include: CHANGED, quality: 95 }]
    const changed = await buildOrThrow(project, bundler, { ...OPTIONS, overrides }, { outDir: 'changed' })
    const output = await readOutput(project, 'changed')
    const renamed = [...output.keys()].filter((file) => isHashed(file) && !site.files.has(file))
    expect(renamed.filter((file) => isImage(file)).length).toBeGreaterThan(0)
    for (const [file, bytes] of output) {
      if (isHashed(file) && site.files.has(file))
        expect([file, bytes.equals(site.files.get(file)!)]).toEqual([file, true])
    }
    expect(danglingReferences(await readReferences(project.path(changed.outDir)))).toEqual([])
  })
}

/**
 * How many images there are to encode: what differs in bytes or operations. An image that is bound to its type in one
 * place and free in another is work for two, unless the bundler finds that both come to the same name. A width that is
 * converted as all are may be the very image that another reference names by its type: the report has them as one.
 */
function uniqueWork(expectations: readonly Expectation[], directives: boolean): { least: number; most: number } {
  const sources = new Set<string>()
  const bound = new Set<string>()
  const free = new Set<string>()
  for (const { source, becomes, keepsType } of expectations) {
    if (becomes === 'text' || becomes === 'original') continue
    sources.add(source)
    ;(keepsType === true ? bound : free).add(source)
  }
  const both = [...bound].filter((source) => free.has(source)).length
  const alike = DIRECTIVE_VARIANTS.filter((each) =>
    DIRECTIVE_VARIANTS.some((other) => other.startsWith(`${each} `)),
  ).length
  const all = sources.size + (directives ? DIRECTIVE_VARIANTS.length : 0)
  // Scripts import a drawing that stylesheets show as a picture.
  const drawings = [...sources].filter((source) => source.endsWith('.svg')).length
  return { least: directives ? all - alike : all, most: all + drawings + both }
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
