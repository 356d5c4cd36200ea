import type { Project } from '@pixpress/testkit'
import { naming } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { build, buildOrThrow, canBuild } from '../contract/build.ts'
import { BUNDLERS } from '../contract/capabilities.ts'
import { serve } from '../vite/serve.ts'
import { SOURCES, checkOut } from './machines.ts'

const FROZEN = { env: { PIXPRESS_FROZEN: '1' } }

let project: Project | undefined
afterEach(async () => {
  await project?.dispose()
  project = undefined
})

describe.each(BUNDLERS.filter(canBuild))('a frozen build of %s', (bundler) => {
  // The contract builds its site from a frozen cache that has everything.
  it('fails and names all that is missing', async () => {
    project = await checkOut(`frozen-${bundler}`)
    const refused = await build(project, bundler, {}, FROZEN)
    expect(refused.ok).toBe(false)
    expect(refused.error).toContain('3 results')
    for (const source of SOURCES) expect(refused.error).toContain(`${source}: image`)
    expect(refused.error).toEqual(naming('src/b.png', 'image/webp', '"method"', '"scale"', '"width"', '60'))
    expect(refused.report).toBeUndefined()
    expect(await project.list('.cache').catch(() => [])).toEqual([])
  })
})

describe('a frozen build without a cache', () => {
  it('encodes nothing either', async () => {
    project = await checkOut('frozen-none')
    await buildOrThrow(project, 'vite', {})
    const asked = [
      { options: { cache: false }, running: FROZEN },
      { options: { cache: { dir: 'elsewhere', mode: 'frozen' } }, running: {} },
    ]
    for (const { options, running } of asked) {
      const refused = await build(project, 'vite', options, running)
      expect(refused.ok).toBe(false)
      expect(refused.error).toContain('3 results are missing')
      expect(refused.report).toBeUndefined()
    }
  })

  it('names the placeholder and the widths that are missing', async () => {
    project = await checkOut('frozen-placeholder')
    const imports = (query: string): Promise<void> =>
      project!.write('src/main.js', `import a from './a.png${query}'\nglobalThis.site = { js: { a } }`)
    await imports('?w=60&as=picture')
    await buildOrThrow(project, 'vite', {})
    await imports('?w=60&as=picture&lqip=thumbhash')
    expect((await build(project, 'vite', {}, FROZEN)).error).toContain('src/a.png: placeholder thumbhash')
    await imports('?w=auto&as=picture&lqip=thumbhash')
    expect((await build(project, 'vite', {}, FROZEN)).error).toContain('src/a.png')
    await buildOrThrow(project, 'vite', {})
    const frozen = await buildOrThrow(project, 'vite', {}, FROZEN)
    expect(frozen.report!.totals.encoded).toBe(0)
  })
})

describe('a dev server of Vite with a frozen cache', () => {
  it('answers for what is missing with an error that says so, and serves the rest', async () => {
    project = await checkOut('frozen-dev')
    const made = await serve(project, 'vite', {})
    expect((await made.ask('/src/a.png')).status).toBe(200)
    await made.close()
    const frozen = await serve(project, 'vite', { options: { cache: { mode: 'frozen' } } })
    expect((await frozen.ask('/src/a.png')).status).toBe(200)
    const missing = await frozen.ask('/src/c.png')
    expect(missing.status).toBe(500)
    expect(missing.body.toString()).toContain('and is frozen')
    await frozen.close()
  })
})

describe('a frozen build with a lock', () => {
  it('fails with what is missing, makes no drafts, and leaves the lock as it is', async () => {
    project = await checkOut('frozen-lock')
    const locked = { lock: true, effort: 'auto' }
    const options = { ...locked, firstBuild: '1ms' }
    await buildOrThrow(project, 'vite', locked)
    const lock = await project.readText('pixpress.lock')
    for (const source of SOURCES) expect(lock).toContain(source)
    expect((await buildOrThrow(project, 'vite', options, FROZEN)).report!.totals.encoded).toBe(0)
    await project.remove('.cache')
    const refused = await build(project, 'vite', options, FROZEN)
    expect(refused.ok).toBe(false)
    expect(refused.error).toContain('3 results are missing')
    expect(await project.list('.cache')).toEqual([])
    expect(await project.readText('pixpress.lock')).toBe(lock)
  })
})
