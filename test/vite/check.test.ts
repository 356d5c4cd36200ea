import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { createProject, graphic, photo, naming } from '@pixpress/testkit'
import type { Project, RunResult } from '@pixpress/testkit'
import { formatBytes } from '@pixpress/core/report'
import { afterEach, describe, expect, it } from 'vitest'
import { buildProject } from './build.ts'
import type { BuildOutcome } from './build.ts'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

let project: Project
afterEach(() => project?.dispose())

/** The shared configuration, as the command and the plugin read it. */
let options: object = {}

async function configure(given: object): Promise<void> {
  options = given
  await project.write('pixpress.config.mjs', `export default ${JSON.stringify(given)}\n`)
}

async function build(env: Readonly<Record<string, string>> = {}): Promise<BuildOutcome> {
  const given = Object.entries(env).map(([name, value]) => `process.env['${name}'] = '${value}'`)
  return buildProject(project, {
    config: '{ build: { assetsInlineLimit: 0 } }',
    options: JSON.stringify(options),
    run: `${given.join('\n')}\nawait build(config)`,
  })
}

const check = (...args: string[]): Promise<RunResult> =>
  project.exec(process.execPath, { args: [COMMAND, 'check', ...args] })

/** Returns the JSON of a run of the command. */
async function checked(...args: string[]): Promise<Checked> {
  return JSON.parse((await check('--format', 'json', ...args)).stdout) as Checked
}

interface Checked {
  readonly findings: readonly { readonly rule: string; readonly source: string; readonly message: string }[]
  readonly images: readonly { readonly source: string; readonly bytes: number; readonly file?: number }[]
}

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: project.root, stdio: 'ignore' })
}

/** Bytes of the files that a build has written, by their sources' names without what bundlers add. */
async function delivered(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const name of await project.list('dist')) {
    const [, stem] = /([a-z]+)(?:-\d+)?(?:-[\w-]{8})?\.(?:jpg|png|webp|avif)$/.exec(name) ?? []
    if (stem === undefined) continue
    const { length } = await project.read(`dist/${name}`)
    sizes.set(stem, Math.max(length, sizes.get(stem) ?? 0))
  }
  return sizes
}

/** A site whose sources could all shrink, with what a build and people leave in a project. */
async function createSite(config: object = { lock: true }): Promise<void> {
  project = await createProject('check', { packages: ['unplugin-pixpress', 'vite'] })
  await project.write(
    'package.json',
    JSON.stringify({ name: 'site', private: true, type: 'module', devDependencies: { 'unplugin-pixpress': '*' } }),
  )
  await project.write('.gitignore', 'node_modules\ndist\nraw/\n')
  await project.write(
    'index.html',
    '<img src="/src/hero.jpg" alt=""><script type="module" src="/src/main.js"></script>',
  )
  await project.write('src/main.js', "import card from './card.jpg?w=90;180'\ndocument.title = String(card)\n")
  await project.write('src/hero.jpg', await photo(240, 160).jpeg(98))
  await project.write('src/card.jpg', await photo(200, 150, 4).jpeg(98))
  await project.write('public/logo.png', await graphic(120, 90).png())
  await project.write('raw/shot.jpg', await photo(64, 48, 5).jpeg(98))
  await configure(config)
  git('init', '-q', '-b', 'main')
}

function commit(): void {
  git('add', '-f', '.', ':!node_modules', ':!dist', ':!raw')
  git('commit', '-q', '-m', 'site')
}

describe('pixpress check in a project with the plugin', () => {
  it('finds nothing after a build whose lock and cache are committed, here and on another machine', async () => {
    await createSite()
    // Before the first build nobody knows of these images.
    expect(await check()).toMatchObject({ code: 3 })
    expect((await build()).error).toBeUndefined()
    commit()
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('3 images'), stderr: '' })
    expect(await build({ PIXPRESS_FROZEN: '1' })).toMatchObject({ encoded: 0, warnings: [] })
    // Whoever has no cache needs none: the lock says what was delivered.
    await project.remove('.cache')
    expect(await check()).toMatchObject({ code: 0 })
    expect(await project.list('.cache')).not.toContain('check-index-2')
    // The files themselves could all be smaller, of which the builds take care.
    expect((await checked('--files')).findings.map(({ rule }) => rule)).toEqual(Array(3).fill('could-shrink'))
  })

  it('says of images what the build delivered, by the heaviest of their sizes', async () => {
    await createSite()
    await build()
    const files = await delivered()
    const { images } = await checked()
    for (const { source, bytes, file } of images) {
      expect({ source, bytes }).toEqual({ source, bytes: files.get(path.parse(source).name) })
      expect(file).toBe((await project.read(source)).length)
    }
    expect(images.map(({ source }) => source)).toEqual(['public/logo.png', 'src/card.jpg', 'src/hero.jpg'])
  })

  it('judges what a build without a lock has shipped, and compresses nothing for that', async () => {
    await createSite({})
    await project.write('src/unused.jpg', await photo(220, 140, 8).jpeg(98))
    expect((await build()).error).toBeUndefined()
    const files = await delivered()
    const before = await project.list('.cache')
    const { findings, images } = await checked()
    expect(findings).toEqual([])
    expect(images.map(({ source, bytes }) => [source, bytes])).toEqual([
      ['public/logo.png', files.get('logo')],
      ['src/card.jpg', files.get('card')],
      ['src/hero.jpg', files.get('hero')],
      ['src/unused.jpg', 0],
    ])
    expect(await project.list('.cache')).toEqual(before)
    expect((await check()).stderr).toEqual(naming('1 image', "'--files'"))
  })

  it('counts what a build ships from elsewhere, as a build does, unless the command is for a part', async () => {
    await createSite({ lock: true, budgets: [{ total: 1 }] })
    await project.write('src/main.js', "import shot from '../raw/shot.jpg'\ndocument.title = shot\n")
    await project.write('node_modules/pictures/one.jpg', await photo(80, 60, 6).jpeg(98))
    await project.write(
      'index.html',
      `${await project.readText('index.html')}<img src="/node_modules/pictures/one.jpg" alt="">`,
    )
    await project.remove('src/card.jpg')
    options = { ...options, onError: 'error' }
    const { error } = await build()
    const { findings, images } = await checked()
    const sources = ['node_modules/pictures/one.jpg', 'public/logo.png', 'raw/shot.jpg', 'src/hero.jpg']
    expect(images.map(({ source }) => source)).toEqual(sources)
    expect(findings.map(({ rule }) => rule)).toEqual(['total-budget'])
    expect(error).toContain(findings[0]!.message.split(';')[0])
    expect((await checked('!raw')).images.map(({ source }) => source)).toEqual(
      sources.filter((each) => !each.startsWith('raw')),
    )
    expect((await checked('src')).images).toHaveLength(1)
  })

  it('judges a new image by what a build would ship of it', async () => {
    await createSite({ lock: true, convert: { type: 'image/webp' }, budgets: [{ include: 'src/**', image: '5 kB' }] })
    await build()
    commit()
    expect(await check()).toMatchObject({ code: 0 })
    await project.write('src/heavy.jpg', await photo(600, 450, 7).jpeg(98))
    const said = await check('--changed', 'HEAD')
    expect(said.code).toBe(3)
    const [, bytes, score] =
      /not-locked: .* A build would ship ([\d.]+ kB) of its [\d.]+ kB as WebP at a score of ([\d.]+)\./.exec(
        said.stdout,
      ) ?? []
    expect(said.stdout).toContain(`image-budget: ${bytes} of 5.0 kB that src/** may have each;`)
    expect(Number(score)).toBeGreaterThanOrEqual(80)
    // The build then does exactly that.
    await project.write(
      'src/main.js',
      "import './card.jpg?w=90;180'\nimport heavy from './heavy.jpg'\ndocument.title = heavy\n",
    )
    const { encoded } = await build()
    expect(encoded).toBe(0)
    expect(formatBytes((await delivered()).get('heavy')!)).toBe(bytes)
    options = { ...options, onError: 'error' }
    expect((await build()).error).toContain(`${bytes} of 5.0 kB that src/** may have each;`)
  })

  it('forgets a size that no build asks for any more, once one was made without it', async () => {
    await createSite()
    await project.write('src/main.js', "import card from './card.jpg'\ndocument.title = card\n")
    await build()
    const before = (await checked()).images.find(({ source }) => source === 'src/card.jpg')!
    await project.write('src/main.js', "import card from './card.jpg?w=90'\ndocument.title = card\n")
    await build()
    const after = (await checked()).images.find(({ source }) => source === 'src/card.jpg')!
    expect(after.bytes).toBe((await delivered()).get('card'))
    expect(after.bytes).toBeLessThan(before.bytes)
    // Results that another build asks for stay: those of a server, say.
    await project.write('src/server.js', "export { default } from './card.jpg?w=120'\n")
    const server = `await build({ ...config, build: { ssr: 'src/server.js', outDir: 'server' } })`
    await buildProject(project, { options: JSON.stringify(options), run: server })
    const locked = (await project.read('pixpress.lock')).toString()
    expect(locked.match(/"source":"src\/card.jpg"/g)).toHaveLength(2)
    await build()
    expect((await project.read('pixpress.lock')).toString()).toBe(locked)
  })

  it('counts the images of the project alone, from a folder and by globs', async () => {
    await createSite()
    await build()
    await project.write('node_modules/other/a.png', await graphic(20, 20).png())
    await project.write('mine/entries/b.png', await graphic(20, 20).png())
    await project.write('.gitignore', 'node_modules\ndist\nraw/\nmine\n')
    const expected = ['public/logo.png', 'src/card.jpg', 'src/hero.jpg']
    for (const args of [[], ['.'], ['**/*.{jpg,png,webp}']]) {
      expect((await checked(...args)).images.map(({ source }) => source)).toEqual(expected)
    }
    expect((await checked('dist')).images.length).toBeGreaterThan(2)
    expect((await checked('raw/shot.jpg')).images).toHaveLength(1)
    expect((await checked('.', '!public', '--exclude', 'card.*')).images.map(({ source }) => source)).toEqual([
      'src/hero.jpg',
    ])
    const dry = await project.exec(process.execPath, { args: [COMMAND, 'compress', '.', '--dry-run', '--json'] })
    expect((JSON.parse(dry.stdout) as Checked).images.map(({ source }) => source)).toEqual(expected)
    expect((await check('--verbose')).stderr).toMatch(/passed over dist \(Git ignores it\)/)
  })
})

describe('budgets of a project with the plugin', () => {
  it.each([{ convert: 'auto' }, { convert: { type: 'image/webp' } }, {}])(
    'that are just kept or just missed say the same in a build and in a check, with %j',
    async (given) => {
      await createSite({ lock: true, ...given })
      await build()
      const heaviest = new Map((await checked()).images.map(({ source, bytes }) => [source, bytes]))
      const [total, image] = [[...heaviest.values()].reduce((sum, each) => sum + each), Math.max(...heaviest.values())]

      await configure({ lock: true, ...given, budgets: [{ image, total }] })
      options = { ...options, onError: 'error' }
      expect((await build()).error).toBeUndefined()
      expect(await check()).toMatchObject({ code: 0 })

      await configure({ lock: true, ...given, budgets: [{ image: image - 1, total: total - 1 }] })
      options = { ...options, onError: 'error' }
      const { error } = await build()
      const { findings } = await checked()
      expect(findings.map(({ rule }) => rule)).toEqual(['image-budget', 'total-budget'])
      for (const { message } of findings) {
        const [figures] = message.split(';')
        expect(figures).toMatch(/ of .* (?:each|together)$/)
        expect(error).toContain(figures)
      }
      // Without the lock the cache tells the same of images that directives do not size.
      await project.remove('pixpress.lock')
      await configure({ ...given, budgets: [{ include: 'src/hero.jpg', total: heaviest.get('src/hero.jpg')! - 1 }] })
      expect((await checked()).findings.map(({ message }) => message)[0]).toContain(
        `${formatBytes(heaviest.get('src/hero.jpg')!)} of `,
      )
    },
  )

  it('hold growth against what was delivered before', async () => {
    await createSite({ lock: true })
    await build()
    commit()
    const before = (await checked()).images.reduce((sum, { bytes }) => sum + bytes, 0)
    await configure({ lock: true, budgets: [{ growth: 0 }] })
    await project.write('src/hero.jpg', await photo(300, 200).jpeg(98))
    await build()
    const { findings, images } = await checked('--changed', 'HEAD')
    const after = images.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(findings).toMatchObject([{ rule: 'growth-budget', source: 'src/hero.jpg' }])
    expect(findings[0]!.message).toEqual(naming(formatBytes(after - before), formatBytes(after)))
    // Without a lock at that commit, the image of then is made as a build would make it.
    git('rm', '-q', '--cached', 'pixpress.lock')
    git('commit', '-q', '-m', 'without')
    expect((await checked('--changed', 'HEAD')).findings).toMatchObject([{ message: findings[0]!.message }])
  })
})

describe('a hook before a commit', () => {
  it('refuses a heavy image that is staged, and looks at no other', async () => {
    await createSite({ budgets: [{ image: '6 kB' }] })
    commit()
    await project.write('.git/hooks/pre-commit', `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' check --staged\n`)
    execFileSync('chmod', ['+x', project.path('.git/hooks/pre-commit')])
    const heavy = await photo(700, 500, 7).jpeg(98)
    await project.write('src/staged image.jpg', heavy)
    await project.write('src/later.jpg', heavy)
    git('add', 'src/staged image.jpg')
    const { code, stderr, stdout } = await project.exec('git', {
      args: ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'heavy'],
    })
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(
      /src\/staged image\.jpg\n {2}image-budget: .*\npixpress {2}1 image checked, 1 finding/,
    )
    await configure({ budgets: [{ image: '600 kB' }] })
    git('commit', '-q', '-m', 'allowed')
    expect(await check('--staged')).toMatchObject({ code: 0, stdout: expect.stringContaining('images to check') })
  })
})
