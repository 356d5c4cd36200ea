import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, symlink, unlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createProject, graphic, photo, naming } from '@pixpress/testkit'
import type { Project, RunResult } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOKEN, startGitHub } from '../action/github-double.ts'
import type { GitHubDouble } from '../action/github-double.ts'
import { runAction } from '../action/workflow.ts'
import type { Ran } from '../action/workflow.ts'
import { packNewer } from './newer.ts'
import { pack } from './pack.ts'

const workspace = path.resolve(import.meta.dirname, '../..')

let folder = ''
let github: GitHubDouble
/** The project of a person, and what CI has checked out of it. */
let mine: Project
let theirs = ''
let tarballs: Map<string, string>
let versionOfVite = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-journey-'))
  github = await startGitHub()
  tarballs = await pack(['core', 'client', 'server', 'cli', 'unplugin'])
  const vite = await readFile(path.join(workspace, 'test/node_modules/vite/package.json'), 'utf8')
  versionOfVite = (JSON.parse(vite) as { version: string }).version
  mine = await createProject('journey', { packages: [] })
  theirs = path.join(folder, 'checkout')
})

afterAll(async () => {
  await github?.close()
  await mine?.dispose()
  await rm(folder, { recursive: true, force: true })
})

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
}

/** Commits all there is, with the cache, and pushes it. */
function push(branch: string, message: string): void {
  git(mine.root, 'add', '.')
  git(mine.root, 'commit', '-q', '-m', message)
  git(mine.root, 'push', '-q', 'origin', branch)
}

/** Runs a program of the project, as `npx` and scripts of its manifest do. */
const run = (program: 'vite' | 'pixpress', ...args: string[]): Promise<RunResult> =>
  mine.exec(mine.path('node_modules/.bin', program), { args })

async function install(packages: ReadonlyMap<string, string>): Promise<void> {
  const ours = Object.fromEntries([...packages].map(([name, file]) => [name, `file:${file}`]))
  const devDependencies = { ...ours, vite: versionOfVite }
  await mine.write('package.json', JSON.stringify({ name: 'site', private: true, type: 'module', devDependencies }))
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const installed = await mine.exec('npm', { args })
  expect(installed.code, installed.stderr).toBe(0)
}

/** Works on a commit like CI: checks it out, builds with a frozen cache, and checks. */
async function inContinuousIntegration(ref: string): Promise<{ build: RunResult; check: RunResult }> {
  git(theirs, 'fetch', '-q', 'origin')
  git(theirs, 'checkout', '-q', '--force', '--detach', ref)
  git(theirs, 'clean', '-q', '-fdx', '-e', 'node_modules')
  const frozen = (command: string): Promise<RunResult> =>
    mine.exec('sh', { args: ['-c', `cd '${theirs}' && PIXPRESS_FROZEN=1 node_modules/.bin/${command}`] })
  const build = await frozen('vite build')
  return { build, check: await frozen('pixpress check') }
}

/** Digests of a build's images by their names. */
async function imagesOf(root: string): Promise<Record<string, string>> {
  const names = (await readdir(path.join(root, 'dist'), { recursive: true })).filter((name) =>
    /\.(?:jpg|png|webp|avif)$/.test(name),
  )
  const digests = names.sort().map(async (name) => {
    const bytes = await readFile(path.join(root, 'dist', name))
    return [name, createHash('sha256').update(bytes).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}

async function act(): Promise<Ran> {
  const at = (ref: string): string => git(mine.root, 'rev-parse', `refs/remotes/origin/${ref}`).trim()
  git(theirs, 'fetch', '-q', 'origin')
  git(theirs, 'clean', '-q', '-fdx', '-e', 'node_modules')
  git(theirs, 'checkout', '-q', '--force', '--detach', 'origin/main')
  git(theirs, 'merge', '-q', '--no-ff', '-m', 'Merge', 'origin/picture')
  const side = (ref: string): object => ({ sha: at(ref), ref, repo: { full_name: 'owner/site' } })
  const event = { number: 7, pull_request: { number: 7, base: side('main'), head: side('picture') } }
  return runAction(folder, { token: TOKEN }, { workspace: theirs, event, api: github.url })
}

const GREEN = {
  code: 0,
  stdout: expect.stringMatching(/(?:^|\n)pixpress {2}\d images .*\n$/) as string,
  stderr: '',
}

describe.sequential('a project from its first day to an update', () => {
  it('is installed, built and checked', async () => {
    await mine.write('.gitignore', 'node_modules\ndist\n')
    await mine.write(
      'pixpress.config.js',
      "import { defineConfig } from 'pixpress'\nexport default defineConfig({ lock: true, cache: { dir: '.pixpress' }, convert: 'auto', budgets: [{ image: '20 kB', total: '22 kB' }] })\n",
    )
    await mine.write(
      'vite.config.js',
      "import pixpress from 'unplugin-pixpress/vite'\nimport options from './pixpress.config.js'\nexport default { plugins: [pixpress(options)], build: { assetsInlineLimit: 0 } }\n",
    )
    await mine.write('index.html', '<img src="/src/hero.jpg" alt="A hero"><img src="/logo.png" alt="">')
    await mine.write('src/hero.jpg', await photo(320, 200).jpeg(98))
    await mine.write('public/logo.png', await graphic(120, 90).png())
    git(folder, 'init', '-q', '--bare', '-b', 'main', 'remote.git')
    git(mine.root, 'init', '-q', '-b', 'main')
    git(mine.root, 'remote', 'add', 'origin', path.join(folder, 'remote.git'))

    await install(tarballs)
    const build = await run('vite', 'build')
    expect(build.code, build.stderr).toBe(0)
    expect(build.stderr).toBe('')
    expect(await run('pixpress', 'check')).toMatchObject(GREEN)
    push('main', 'Site')
  })

  it('builds frozen in CI from what was committed, and is green there', async () => {
    git(folder, 'clone', '-q', path.join(folder, 'remote.git'), theirs)
    await symlink(mine.path('node_modules'), path.join(theirs, 'node_modules'))
    const { build, check } = await inContinuousIntegration('origin/main')
    expect(build.code, build.stderr).toBe(0)
    expect(check).toMatchObject(GREEN)
    expect(await imagesOf(theirs)).toEqual(await imagesOf(mine.root))
  })

  it('is told in a comment of a heavy picture that a branch adds, in bytes that a build would ship', async () => {
    git(mine.root, 'checkout', '-q', '-b', 'picture')
    await mine.write('src/heavy.jpg', await photo(900, 600, 7).jpeg(98))
    await mine.write('index.html', `${await mine.readText('index.html')}<img src="/src/heavy.jpg" alt="">`)
    push('picture', 'A picture')
    const { failed, summary } = await act()
    expect(failed).toBe('verdict')
    expect(github.comments.map(({ body }) => body)).toEqual([summary])
    const [, bytes, source] =
      /### pixpress: 1 image, a build ships ([\d.]+ kB) of ([\d.]+ kB), 3 findings\n/.exec(summary) ?? []
    expect(summary).toEqual(naming(bytes!, '20.0 kB', source!))
    expect(summary).toContain('22.0 kB')
    expect(summary).toContain('pixpress.lock')
    // A build says the same of it.
    const build = await run('vite', 'build')
    expect(build.stderr).toEqual(naming(bytes!, '20.0 kB'))
  })

  it('has its comment mended once the picture fits and the lock is committed', async () => {
    const page = await mine.readText('index.html')
    await mine.write('index.html', page.replace('/src/heavy.jpg', '/src/heavy.jpg?w=320'))
    const build = await run('vite', 'build')
    expect([build.code, build.stderr]).toEqual([0, ''])
    push('picture', 'A smaller picture')
    const { failed, summary, log } = await act()
    expect([failed, log]).toEqual([undefined, expect.not.stringContaining('::error')])
    expect(github.comments.map(({ body }) => body)).toEqual([summary])
    expect(summary).toContain('1 image')
    const { build: frozen, check } = await inContinuousIntegration('origin/picture')
    expect([frozen.code, frozen.stderr]).toEqual([0, ''])
    expect(check).toMatchObject(GREEN)
  })

  it('changes no image with an update whose engine is newer, and stays green', async () => {
    git(mine.root, 'checkout', '-q', 'main')
    git(mine.root, 'merge', '-q', '--no-ff', '-m', 'Merge', 'picture')
    const before = await imagesOf(mine.root)
    const lock = await mine.readText('pixpress.lock')
    const version = '0.1.99'
    await install(await packNewer(tarballs, path.join(folder, 'newer'), version))
    expect((await run('pixpress', '--version')).stdout.trim()).toBe(version)
    push('main', 'Update')
    await unlink(path.join(theirs, 'node_modules'))
    await symlink(mine.path('node_modules'), path.join(theirs, 'node_modules'))
    const { build, check } = await inContinuousIntegration('origin/main')
    expect(build.code, build.stderr).toBe(0)
    expect(await imagesOf(theirs)).toEqual(before)
    expect(await readFile(path.join(theirs, 'pixpress.lock'), 'utf8')).toBe(lock)
    expect(check).toMatchObject(GREEN)
    // An update improves images when somebody asks for it.
    expect((await run('pixpress', 'upgrade', '--dry-run')).stdout).toMatch(/older/)
  })
})
