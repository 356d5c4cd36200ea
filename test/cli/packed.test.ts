import { spawn } from 'node:child_process'
import { access, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { decode, findChromium, photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useCommand, useFolder } from '../../packages/cli/test/command-line.ts'
import { installPackedCommand } from './packed-command.ts'
import type { PackedCommand } from './packed-command.ts'

let packed: PackedCommand | undefined

beforeAll(async () => {
  packed = await installPackedCommand()
  useCommand(packed.run)
})

afterAll(() => packed?.dispose())

// Whole suites of what ends a process, and of what talks to services, on the command as it is installed.
describe('run', async () => void (await import('../../packages/cli/test/run.test.ts')))
describe('commands/compress-store', async () =>
  void (await import('../../packages/cli/test/commands/compress-store.test.ts')))
describe('commands/serve', async () => void (await import('../../packages/cli/test/commands/serve.slow.test.ts')))

const TRIES = 12

const browser = findChromium()

/** Packages that a compiled module imports, in statements and by `import()`. */
const IMPORTED = /(?:^(?:import|export)[^'"]*from\s*|^import\s*|\bimport\()["'](?!node:)((?:@[\w-]+\/)?[a-z][\w.-]*)/gm

describe('the packed command', () => {
  const folder = useFolder()

  it(`leaves every file whole when it is interrupted, in ${TRIES} tries`, async () => {
    const names = Array.from({ length: 5 }, (_, index) => `${index}.jpg`)
    const sources = await Promise.all(names.map((_, index) => photo(120, 80, index + 1).jpeg(97)))
    const restore = (): Promise<void> =>
      folder.write(Object.fromEntries(names.map((name, index) => [name, sources[index]!])))
    await restore()
    const started = performance.now()
    await packed!.run(folder.path, ['compress', '.', '--no-cache'], {})
    const whole = performance.now() - started
    let stopped = 0
    let replaced = 0
    for (let attempt = 0; attempt < TRIES; attempt++) {
      await restore()
      const signal = (['SIGINT', 'SIGTERM', 'SIGKILL'] as const)[attempt % 3]!
      const child = spawn(process.execPath, [packed!.script, 'compress', '.', '--no-cache'], { cwd: folder.path })
      const closed = new Promise<void>((resolve) => {
        child.once('close', () => resolve())
      })
      // From before the first byte is read until after the last is written, in even steps.
      await Promise.race([closed, delay((whole * 1.3 * (attempt + 1)) / TRIES)])
      if (child.exitCode === null) stopped++
      child.kill(signal)
      await closed
      for (const [index, name] of names.entries()) {
        const now = await folder.read(name)
        if (now.equals(sources[index]!)) continue
        replaced++
        expect(now.length).toBeLessThan(sources[index]!.length)
        expect(await decode(now)).toMatchObject({ width: 120, height: 80 })
      }
      // Only who is killed cannot tidy up.
      if (signal !== 'SIGKILL') expect(await folder.files()).toEqual(names)
      else
        await Promise.all(
          (await folder.files()).filter((name) => name.endsWith('.tmp')).map((name) => folder.remove(name)),
        )
    }
    expect(stopped).toBeGreaterThan(TRIES / 4)
    expect(replaced).toBeGreaterThan(0)
  }, 300_000)

  it('keeps its memory under 700 MB with 1,000 images', async () => {
    const images = Array.from(
      { length: 1000 },
      async (_, index) => [`${index}.jpg`, await photo(64, 48, index + 1).jpeg(95)] as const,
    )
    await folder.write(Object.fromEntries(await Promise.all(images)))
    const spy = path.join(folder.path, 'node_modules', 'spy.mjs')
    const usage = path.join(folder.path, 'node_modules', 'usage.txt')
    await folder.write({ 'node_modules/spy.mjs': '' })
    await writeFile(
      spy,
      `import { isMainThread } from 'node:worker_threads'
       import { writeFileSync } from 'node:fs'
       if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(usage)}, String(process.resourceUsage().maxRSS)))`,
    )
    const { code, stdout } = await packed!.run(folder.path, ['compress', '.', '--json'], {
      env: { NODE_OPTIONS: `--import=${spy}` },
    })
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as { totals: object }).totals).toMatchObject({ images: 1000, encoded: 1000, failed: 0 })
    expect(Number(await readFile(usage, 'utf8')) * 1024).toBeLessThan(700e6)
  }, 300_000)

  it('installs without a warning about the Node it runs on', () => {
    expect(packed!.warnings).not.toContain('EBADENGINE')
  })

  it('supports the same versions of Node with each of its packages', async () => {
    const modules = path.dirname(path.dirname(path.dirname(packed!.script)))
    for (const name of ['pixpress', '@pixpress/core', '@pixpress/client', '@pixpress/server']) {
      const { engines } = JSON.parse(await readFile(path.join(modules, name, 'package.json'), 'utf8')) as {
        engines: { node: string }
      }
      expect([name, engines.node]).toEqual([name, expect.stringMatching(/^(?:\^|>=)20\.19\.0/)])
    }
  })

  it('holds its private packages, and depends on every package that it imports', async () => {
    const own = path.dirname(path.dirname(packed!.script))
    const manifest = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8')) as {
      dependencies: object
      optionalDependencies: object
    }
    const files = (await readdir(own, { recursive: true })).filter((name) => /\.(?:js|d\.ts)$/.test(name))
    const texts = await Promise.all(files.map((name) => readFile(path.join(own, name), 'utf8')))
    const imported = new Set(texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name]) => name!)))
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    expect(declared.filter((name) => /audit|batch|migrate/.test(name))).toEqual([])
    expect(imported).toContain('js-tokens')
    expect([...imported].filter((name) => !declared.includes(name))).toEqual([])
  })

  it('finds the code of each command, which is loaded when it runs', async () => {
    const source = await photo(60, 40).jpeg(95)
    await folder.write({ 'a.jpg': source, 'package.json': JSON.stringify({ devDependencies: { vite: '^7.0.0' } }) })
    const { stdout } = await folder.run(['compress', 'a.jpg', '--json'])
    await folder.write({ 'report.json': stdout })
    for (const args of [
      ['report', 'report.json', '--html', 'report.html'],
      ['cache', 'stats'],
      ['cache', 'verify'],
      ['check', 'a.jpg'],
      ['restore', 'a.jpg'],
      ['init', '--dry-run'],
    ]) {
      const { code, stderr } = await folder.run(args)
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
    }
    expect((await folder.read('a.jpg')).equals(source)).toBe(true)
    expect((await folder.read('report.html')).toString()).toContain('a.jpg')
  })

  it('shows what moves a project to the plugin', async () => {
    await folder.write({
      'package.json': JSON.stringify({ devDependencies: { vite: '^7.0.0', 'vite-plugin-image-optimizer': '^2.0.0' } }),
      'vite.config.js': [
        "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'",
        'export default { plugins: [ViteImageOptimizer()] }',
      ].join('\n'),
    })
    const { stdout } = await folder.run(['migrate'])
    expect(stdout).toContain("+ import pixpress from 'unplugin-pixpress/vite'")
  })

  it('works on a folder in chunks, and finds the library of the queue', async () => {
    await folder.write({ 'in/a.jpg': await photo(60, 40).jpeg(95) })
    expect(await folder.run(['batch', '--from', 'in', '--to', 'out'])).toMatchObject({ code: 0 })
    const { code, stderr } = await folder.run(['work', '--queue', 'redis://127.0.0.1:1'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  })

  it.skipIf(browser === undefined && process.env['CI'] !== 'true')('looks at a page in a browser', async () => {
    const image = '<img src="a.jpg" width="60" height="40" fetchpriority="high">'
    await folder.write({
      'a.jpg': await photo(60, 40).jpeg(80),
      'index.html': `<!doctype html><html lang="en"><title>A page</title><body>${image}</body></html>`,
    })
    const { code, stdout } = await folder.run(['audit', '.', '--json', '--viewports', '390'], {
      env: { CHROME_PATH: browser ?? '' },
    })
    const { findings } = JSON.parse(stdout) as { findings: { kind: string }[] }
    expect({ code, kinds: findings.map(({ kind }) => kind) }).toEqual({ code: 3, kinds: ['missing-alt'] })
  })

  it('brings no file of its tests or sources', async () => {
    const own = path.dirname(path.dirname(packed!.script))
    expect((await readdir(own)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    await access(path.join(own, 'dist', 'index.d.ts'))
  })
})
