import { execFileSync } from 'node:child_process'
import { mkdir, rename, symlink } from 'node:fs/promises'
import path from 'node:path'
import { failure } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { findRepository } from '../../src/git/repository.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: folder.path, stdio: 'ignore' })
}

it('changesSince knows changed, staged, renamed and new files of the whole repository, and sizes of before', async () => {
  expect(await findRepository(folder.path)).toBeUndefined()
  await folder.write({
    'same.png': '1',
    'changed.png': '22',
    'gone.png': '333',
    'ä "b"\n.png': '4444',
    '.gitignore': 'x\n',
  })
  if (process.platform !== 'win32') await symlink('same.png', path.join(folder.path, 'link.png'))
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  await folder.write({ 'changed.png': '2', 'new/new.png': '5', x: 'ignored', 'staged.png': '6' })
  git('add', 'staged.png')
  await folder.remove('gone.png')
  await rename(path.join(folder.path, 'ä "b"\n.png'), path.join(folder.path, 'renamed.png'))
  await mkdir(path.join(folder.path, 'deep'))

  const repository = await findRepository(path.join(folder.path, 'deep'))
  expect(repository?.top).toBe(folder.path)
  const changes = await repository!.changesSince('main')
  const names = (files: Iterable<string>): string[] => [...files].map((file) => path.relative(folder.path, file)).sort()
  expect(names(changes.files)).toEqual(['changed.png', path.join('new', 'new.png'), 'renamed.png', 'staged.png'])
  const before = await changes.sizesBefore()
  expect(before.get(path.join(folder.path, 'gone.png'))).toBe(3)
  expect(names(before.keys())).toEqual([
    '.gitignore',
    'changed.png',
    'gone.png',
    'package.json',
    'same.png',
    'ä "b"\n.png',
  ])
})

it('a ref is no option of Git', async () => {
  git('init', '-q')
  const repository = await findRepository(folder.path)
  await expect(repository!.changesSince('--all')).rejects.toThrow(failure('UsageError', "'--all'", "'--changed'"))
})
