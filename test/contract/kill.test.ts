import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProject, graphic, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, buildOrThrow, readOutput } from './build.ts'

const IMAGES = 30
// The tests of the cache itself kill its writers more often.
const KILLS = 4
const CACHE = '.cache/pixpress'
// Little work per image: a build ends and is killed at what it stores, not at how it encodes.
const OPTIONS = { convert: { type: ['image/webp'] }, effort: 'fast' }

/**
 * Milliseconds for all killed builds and as many after them: several times what an idle machine takes, so that no pace
 * decides.
 */
const PATIENCE = 900_000

/** Builds that end in the middle, and builds that meet in one cache. */
describe('a cache whose builds are killed', () => {
  let project: Project
  let expected: ReadonlyMap<string, Buffer>

  beforeAll(async () => {
    const names = Array.from({ length: IMAGES }, (_, index) => `image${index}`)
    const images = await Promise.all(
      names.map(async (name, index) => {
        const picture = index % 2 === 0 ? photo(24, 16, index) : graphic(24, 16, index)
        return [`src/${name}.png`, await picture.png()] as const
      }),
    )
    project = await createProject('kill', {
      files: {
        ...Object.fromEntries(images),
        'src/main.js': `${names.map((name) => `import ${name} from './${name}.png'`).join('\n')}\nglobalThis.site = { images: { ${names.join(', ')} } }`,
      },
    })
    const { report } = await buildOrThrow(project, 'esbuild', OPTIONS)
    expect(report!.totals.encoded).toBe(IMAGES)
    expected = await readOutput(project)
    expect((await cacheEntries()).length).toBe(IMAGES)
  })
  afterAll(() => project?.dispose())

  /** Finished entries: what a killed writer leaves behind has another name. */
  async function cacheEntries(): Promise<string[]> {
    const files = await project.list(CACHE)
    return files.filter((file) => /(?:^|\/)[\da-f]{64}$/.test(file))
  }

  async function expectRight(outDir: string): Promise<void> {
    const output = await readOutput(project, outDir)
    expect([...output.keys()]).toEqual([...expected.keys()])
    for (const [file, bytes] of output) expect([file, bytes.equals(expected.get(file)!)]).toEqual([file, true])
  }

  it(
    `is right after each of ${KILLS} builds that were killed half-way`,
    async () => {
      const left: number[] = []
      for (let trial = 0; trial < KILLS; trial++) {
        await project.remove(CACHE)
        await project.remove('dist')
        const killed = await killedBuild(Math.floor((trial * IMAGES * 0.8) / KILLS), trial % 8)
        const present = (await cacheEntries()).length
        if (killed) left.push(present)
        const { report } = await buildOrThrow(project, 'esbuild', OPTIONS)
        expect(report!.totals).toMatchObject({ images: IMAGES, cached: present, encoded: IMAGES - present, failed: 0 })
        await expectRight('dist')
      }
      expect(left.length).toBeGreaterThan(KILLS / 2)
      expect(left.filter((count) => count > 0 && count < IMAGES).length).toBeGreaterThan(KILLS / 3)
    },
    PATIENCE,
  )

  /**
   * Kills a build some milliseconds after it has stored so many results; so no speed of the machine is too high or low.
   */
  async function killedBuild(stored: number, delay: number): Promise<boolean> {
    const controller = new AbortController()
    const state = { ended: false }
    const building = build(project, 'esbuild', OPTIONS, { signal: controller.signal }).finally(
      () => (state.ended = true),
    )
    while (!state.ended && (await cacheEntries()).length < stored) await sleep(5)
    await sleep(stored === 0 ? delay * 60 : delay)
    controller.abort()
    return (await building).process.code === null
  }

  it('uses no entry that is truncated, changed or exchanged', async () => {
    await buildOrThrow(project, 'esbuild', OPTIONS)
    const [truncated, empty, flipped, exchanged, donor] = (await cacheEntries()).map((file) =>
      project.path(CACHE, file),
    )
    const whole = await readFile(truncated!)
    await writeFile(truncated!, whole.subarray(0, whole.length - 7))
    await writeFile(empty!, '')
    const changed = await readFile(flipped!)
    changed[changed.length - 20]! ^= 1
    await writeFile(flipped!, changed)
    await writeFile(exchanged!, await readFile(donor!))
    const { report } = await buildOrThrow(project, 'esbuild', OPTIONS, { outDir: 'mended' })
    expect(report!.totals).toMatchObject({ images: IMAGES, encoded: 4, cached: IMAGES - 4 })
    await expectRight('mended')
  })

  it('serves two builds at once', async () => {
    for (let trial = 0; trial < 3; trial++) {
      await project.remove(CACHE)
      await Promise.all(
        ['first', 'second'].map((outDir) => buildOrThrow(project, 'esbuild', { ...OPTIONS, report: true }, { outDir })),
      )
      await expectRight('first')
      await expectRight('second')
      expect((await cacheEntries()).length).toBe(IMAGES)
    }
    const warm = await buildOrThrow(project, 'esbuild', OPTIONS, { outDir: 'warm' })
    expect(warm.report!.totals.encoded).toBe(0)
    await expectRight('warm')
  })
})
