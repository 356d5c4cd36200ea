import { execFileSync } from 'node:child_process'
import { graphic, naming } from '@pixpress/testkit'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
let image: Buffer
beforeAll(async () => {
  image = await graphic(60, 40).png()
})
beforeEach(() => folder.write({ 'src/a.png': image, 'src/b.png': image, 'docs/c.png': image }))

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: folder.path, stdio: 'ignore' })
}

/** Sources that a run works on. */
async function sources(command: 'compress' | 'check', ...args: string[]): Promise<string[]> {
  const json = command === 'compress' ? ['--dry-run', '--json'] : ['--format', 'json']
  const { stdout, stderr } = await folder.run([command, ...args, ...json])
  if (stdout === '') throw new Error(stderr)
  const { images } = JSON.parse(stdout) as { images: { source: string; possible?: number }[] }
  return images.filter(({ possible }) => command === 'compress' || possible !== undefined).map(({ source }) => source)
}

describe.each(['compress', 'check'] as const)('pixpress %s', (command) => {
  it('leaves out what --exclude and patterns with an exclamation mark name', async () => {
    expect(await sources(command, '.', '--exclude', 'docs')).toEqual(['src/a.png', 'src/b.png'])
    expect(await sources(command, '.', '--exclude', 'docs', '--exclude', '**/{a,x}.png')).toEqual(['src/b.png'])
    expect(await sources(command, 'src/*.png', '!src/a.png')).toEqual(['src/b.png'])
    expect(await sources(command, 'src/a.png', 'src/b.png', '!b.png')).toEqual(['src/a.png'])
  })

  it('takes what is staged with --staged', async () => {
    git('init', '-q')
    git('add', 'src/a.png', 'docs/c.png')
    expect(await sources(command, '--staged')).toEqual(['docs/c.png', 'src/a.png'])
    expect(await sources(command, 'src', '--staged')).toEqual(['src/a.png'])
    expect(await sources(command, '--staged', '!docs')).toEqual(['src/a.png'])
    git('commit', '-q', '-m', 'one')
    expect(await sources(command, '--staged')).toEqual([])
    git('mv', 'src/a.png', 'src/renamed.png')
    git('rm', '-q', 'docs/c.png')
    expect(await sources(command, '--staged')).toEqual(['src/renamed.png'])
  })

  it('refuses --staged outside of a repository, and beside what it excludes', async () => {
    const { code, stderr } = await folder.run([command, '--staged'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--staged')])
    const other = command === 'check' ? ['--changed', 'HEAD'] : ['--watch']
    expect(await folder.run([command, 'src', '--staged', ...other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exclude each other') as string,
    })
  })

  it('says what it passed over where nothing is left, and with --verbose', async () => {
    git('init', '-q')
    await folder.write({ '.gitignore': 'src\n*.png\n' })
    await folder.write({ 'docs/page.md': '' })
    const { stderr, code } = await folder.run([command, '.'])
    expect([code, stderr]).toEqual([0, naming('docs/c.png (', 'src (')])
    await folder.write({ '.gitignore': 'docs\n' })
    expect((await folder.run([command, '.', '--exclude', 'a.png'])).stderr).not.toContain('passed over')
    expect((await folder.run([command, '.', '--verbose'])).stderr).toContain('passed over docs (Git ignores it): ')
  })
})

it('compress has to be told what to take, not only what to leave out', async () => {
  const { code, stderr } = await folder.run(['compress', '!docs'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Nothing to compress')])
})
