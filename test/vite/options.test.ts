import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import pixpress from 'unplugin-pixpress/vite'
import type { Options } from 'unplugin-pixpress/vite'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

let project: Project
let copied: Buffer
beforeAll(async () => {
  copied = await photo(60, 50, 3).png()
  project = await createProject('vite-options', {
    files: {
      'src/images/photo.png': await photo(80, 60).png(),
      'public/copied.png': copied,
      'src/main.js': "import count from './images/photo.png?w=20;40&as=count'\nglobalThis.site = ['count:', count]",
      'index.html':
        '<!doctype html><title>x</title><img src="./src/images/photo.png"><script type="module" src="./src/main.js"></script>',
      'package.json': '{}',
    },
  })
})
afterAll(() => project.dispose())

/** Processes that were started since the build began. */
let started: ChildProcess[]
const note = (message: unknown): void => void started.push((message as { process: ChildProcess }).process)
beforeEach(() => {
  started = []
  subscribe('child_process', note)
  vi.spyOn(console, 'log').mockReturnValue()
})
afterEach(() => {
  unsubscribe('child_process', note)
  vi.restoreAllMocks()
})

/** The number of threads that the process of the work was started for. */
const threads = (): string | undefined =>
  started
    .map(({ spawnargs }) => spawnargs)
    .find((args) => args.some((each) => /\bhost\.js$/.test(each)))
    ?.at(-1)

const outputs = { count: (images: readonly unknown[]) => images.length }

async function built(options: Options): Promise<void> {
  const plugins = [pixpress({ outputs, convert: 'auto', effort: 'fast', ...options })]
  await build({ root: project.root, configFile: false, logLevel: 'silent', build: { assetsInlineLimit: 0 }, plugins })
}

async function scripts(): Promise<string> {
  const files = (await project.list('dist')).filter((file) => file.endsWith('.js'))
  return (await Promise.all(files.map((file) => project.readText(`dist/${file}`)))).join('\n')
}

/** Options whose effect is in the files, pages and processes of a build. The session's tests have the others. */
describe('options in a build of Vite', () => {
  it('decide where files go, and what they name', async () => {
    await built({
      root: 'src',
      report: { json: '../images.json', html: '../images.html' },
      lock: '../images.lock',
      cache: { dir: '../.images' },
      types: 'images.d.ts',
      concurrency: 1,
    })
    const files = await project.list()
    expect(files).toEqual(expect.arrayContaining(['images.json', 'images.html', 'images.lock', 'src/images.d.ts']))
    expect((await project.list('.images')).length).toBeGreaterThan(0)
    const { images } = JSON.parse(await project.readText('images.json')) as { images: { source: string }[] }
    expect([...new Set(images.map(({ source }) => source))].toSorted()).toEqual([
      '../public/copied.png',
      'images/photo.png',
    ])
    expect(vi.mocked(console.log).mock.calls.flat().join('\n')).toContain('images/photo.png')
    expect((await project.read('dist/copied.png')).length).toBeLessThan(copied.length)
    expect(await scripts()).toMatch(/["'`]count:["'`],\s*2\b/)
    expect(threads()).toBe('1')
  })

  it('leave out what they are told to leave out', async () => {
    await built({ report: false, publicDir: false, cache: false, concurrency: 2 })
    expect(console.log).not.toHaveBeenCalled()
    expect((await project.read('dist/copied.png')).equals(copied)).toBe(true)
    expect(await project.list()).not.toContain('pixpress.lock')
    expect(threads()).toBe('2')
  })

  it('fail a build that is over its budget', async () => {
    const budgets = [{ include: 'src/images/photo.png', image: '100 B' }]
    await expect(built({ report: false, budgets, onError: 'error' })).rejects.toThrow('src/images/photo.png')
  })
})
