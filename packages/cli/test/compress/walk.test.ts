import { execFileSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { findInputs } from '../../src/compress/inputs.ts'
import { skippedLine } from '../../src/compress/skipped-line.ts'
import type { Skipped } from '../../src/compress/walk.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: path.join(folder.path, cwd), stdio: 'ignore' })
}

const skipped: Skipped[] = []

async function find(
  patterns: readonly string[],
  options: { cwd?: string; own?: readonly string[] } = {},
): Promise<string[]> {
  skipped.length = 0
  const given = { include: [], exclude: [], out: undefined, cwd: path.join(folder.path, options.cwd ?? '') }
  const own = (options.own ?? []).map((each) => path.join(folder.path, each))
  const inputs = await findInputs(patterns, { ...given, own, onSkipped: (each) => void skipped.push(each) })
  return inputs.map(({ file }) => path.relative(folder.path, file).split(path.sep).join('/'))
}

/** A project after a build, with what other people and tools have left in it. */
beforeEach(() =>
  folder.write({
    'src/hero.png': '',
    'src/generated/card.png': '',
    'src/.gitignore': 'generated/\n',
    'public/logo.png': '',
    'build/icons/app.png': '',
    'build/icons/assets/in.png': '',
    'dist/index.html': '',
    'dist/assets/hero-abc.webp': '',
    'photos/raw.png': '',
    'photos/kept.png': '',
    'node_modules/x/e.png': '',
    '.cache/pixpress/ab/entry.png': '',
    'draft.tmp.png': '',
    '.gitignore': 'photos/*\n*.tmp.png\nnode_modules\n.cache\n',
  }),
)

describe('findInputs in a repository', () => {
  beforeEach(() => {
    git('', 'init', '-q')
    git('', 'add', '.', ':!dist')
    git('', 'add', '-f', 'photos/kept.png')
  })

  const PROJECT = [
    'build/icons/app.png',
    'build/icons/assets/in.png',
    'photos/kept.png',
    'public/logo.png',
    'src/hero.png',
  ]

  it('passes over what Git ignores by rules of any folder, and output that is not tracked', async () => {
    expect(await find(['.'])).toEqual(PROJECT)
    expect(skippedLine(skipped, folder.path)).toEqual(naming('dist (', 'draft.tmp.png (', 'photos/raw.png (', '1 more'))
  })

  it('does the same for globs, and from a folder within', async () => {
    expect(await find(['**/*.{png,webp}'])).toEqual(PROJECT)
    expect(await find(['*'], { cwd: 'src' })).toEqual(['src/.gitignore', 'src/hero.png'])
    expect(await find(['.'], { cwd: 'src' })).toEqual(['src/hero.png'])
  })

  it('takes files and folders that are named, whatever Git says of them', async () => {
    expect(await find(['draft.tmp.png', 'photos/raw.png'])).toEqual(['draft.tmp.png', 'photos/raw.png'])
    expect(await find(['dist'])).toEqual(['dist/assets/hero-abc.webp'])
    expect(await find(['dist/**/*.webp'])).toEqual(['dist/assets/hero-abc.webp'])
    expect(await find(['src/generated'])).toEqual(['src/generated/card.png'])
    expect(skipped).toEqual([])
  })

  it('leaves out what is excluded, named or not', async () => {
    expect(await find(['.', '!public', '!build'])).toEqual(['photos/kept.png', 'src/hero.png'])
    expect(await find(['src/hero.png', 'public/logo.png', '!logo.png'])).toEqual(['src/hero.png'])
  })

  it('passes over folders of its own, without a word', async () => {
    expect(await find(['.'], { own: ['build/icons'] })).toEqual(['photos/kept.png', 'public/logo.png', 'src/hero.png'])
    expect(skipped.some(({ place }) => place.includes('icons'))).toBe(false)
    expect(await find(['build/icons'], { own: ['build/icons'] })).toEqual([
      'build/icons/app.png',
      'build/icons/assets/in.png',
    ])
  })

  it('takes output that is tracked', async () => {
    git('', 'add', '-f', 'dist')
    expect(await find(['.'])).toContain('dist/assets/hero-abc.webp')
  })

  it('reads the rules of a repository within a folder that is none', async () => {
    await rename(path.join(folder.path, '.git'), path.join(folder.path, 'src/.git'))
    expect(await find(['.'])).toEqual([
      'build/icons/app.png',
      'build/icons/assets/in.png',
      'draft.tmp.png',
      'photos/kept.png',
      'photos/raw.png',
      'public/logo.png',
      'src/hero.png',
    ])
  })
})

describe('findInputs without Git', () => {
  it('passes over output by its contents, and never a folder of sources that is called so', async () => {
    expect(await find(['.'])).toEqual([
      'build/icons/app.png',
      'build/icons/assets/in.png',
      'draft.tmp.png',
      'photos/kept.png',
      'photos/raw.png',
      'public/logo.png',
      'src/generated/card.png',
      'src/hero.png',
    ])
    await folder.remove('dist/index.html')
    await folder.write({ 'dist/package.json': '{}' })
    expect(await find(['.'])).toContain('dist/assets/hero-abc.webp')
  })

  it.each(['.next', '.nuxt', '.output', '.astro', '.svelte-kit'])('knows %s by its name', async (name) => {
    await folder.write({ [`${name}/a/b.png`]: '' })
    expect(await find(['.'])).not.toContain(`${name}/a/b.png`)
    expect(await find([name])).toEqual([`${name}/a/b.png`])
  })
})
