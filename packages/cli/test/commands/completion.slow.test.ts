import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { COMPRESS_FLAGS } from '../../src/compress/flags.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const isStrict = process.env['CI'] === 'true'

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout, stderr } = await folder.run(['completion', shell])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Returns the answers of bash's own completion function to these words, of which the last is being typed. */
async function inBash(...words: string[]): Promise<string[]> {
  const script = path.join(folder.path, 'completion.bash')
  writeFileSync(script, await scriptOf('bash'))
  const run = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pixpress; printf "%s\\n" "${COMPREPLY[@]}"'
  const answer = execFileSync('bash', ['--norc', '-uc', run, script, ...words], {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return answer.split('\n').filter((line) => line !== '')
}

describe.skipIf(!isStrict && !has('bash'))('bash', () => {
  it('completes every command', async () => {
    expect((await inBash('pixpress', '')).sort()).toEqual(
      [...Object.keys(COMMANDS), '--help', '--version', 'help'].sort(),
    )
    expect(await inBash('pixpress', 'comp')).toEqual(['compress', 'completion'])
    expect(await inBash('pixpress', 'help', 'res')).toEqual(['restore'])
  })

  it('completes every flag of a command, and none of another', async () => {
    const flags = await inBash('pixpress', 'compress', '--')
    expect(flags.sort()).toEqual(
      Object.keys(COMPRESS_FLAGS)
        .map((name) => `--${name}`)
        .sort(),
    )
    expect(await inBash('pixpress', 'cache', '--m')).toEqual(['--max-size'])
    expect(await inBash('pixpress', 'compress', 'a.jpg', '-')).toContain('-q')
  })

  it('completes the words that a flag takes, behind a space, an equals sign and a comma', async () => {
    expect(await inBash('pixpress', 'compress', '--quality', '')).toEqual(['high', 'balanced', 'small'])
    expect(await inBash('pixpress', 'compress', '-q', 'b')).toEqual(['balanced'])
    expect(await inBash('pixpress', 'compress', '--effort', '=', 'f')).toEqual(['fast'])
    expect(await inBash('pixpress', 'compress', '--effort', '=')).toEqual(['fast', 'default', 'max'])
    expect(await inBash('pixpress', 'compress', '--convert', 'avif,webp,j')).toEqual([
      'avif,webp,jxl',
      'avif,webp,jpeg',
    ])
    expect(await inBash('pixpress', 'compress', '--min-saving', '')).toEqual([])
    expect(await inBash('pixpress', 'check', '--format', 'g')).toEqual(['github', 'gitlab'])
  })

  it('completes files, folders and the words of commands', async () => {
    await folder.write({ 'pictures/a b.jpg': 'x', 'photo.jpg': 'x' })
    expect((await inBash('pixpress', 'compress', 'p')).sort()).toEqual(['package.json', 'photo.jpg', 'pictures'])
    expect(await inBash('pixpress', 'compress', '--out', 'p')).toEqual(['pictures'])
    expect(await inBash('pixpress', 'compress', 'pictures/')).toEqual(['pictures/a b.jpg'])
    expect(await inBash('pixpress', 'cache', 'p')).toEqual(['path', 'prune', 'push', 'pull'])
    expect(await inBash('pixpress', 'migrate', 'image')).toEqual([
      'imagetools',
      'image-optimizer',
      'image-minimizer',
      'imagemin',
    ])
    expect(await inBash('pixpress', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })
})

describe.skipIf(!isStrict && !has('zsh'))('zsh', () => {
  it('takes the script, with every command and flag in it', async () => {
    const script = await scriptOf('zsh')
    const file = path.join(folder.path, '_pixpress')
    writeFileSync(file, script)
    execFileSync('zsh', ['-f', '-n', file])
    const load = 'autoload -U compinit; compinit -u -D; source "$1"; print -r -- "$_comps[pixpress]"'
    expect(execFileSync('zsh', ['-f', '-c', load, 'zsh', file], { encoding: 'utf8' })).toBe('_pixpress\n')
    for (const name of Object.keys(COMMANDS)) expect(script).toContain(`\n        ${name})\n`)
    for (const name of Object.keys(COMPRESS_FLAGS)) expect(script).toContain(`--${name}`)
  })
})

describe.skipIf(!isStrict && !has('fish'))('fish', () => {
  it('completes commands, flags and words', async () => {
    const file = path.join(folder.path, 'pixpress.fish')
    writeFileSync(file, await scriptOf('fish'))
    const completed = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `source $argv[1]; complete -C $argv[2]`, file, line], {
        cwd: folder.path,
        encoding: 'utf8',
        env: { ...process.env, HOME: folder.path },
      })
        .split('\n')
        .map((each) => each.split('\t')[0]!)
        .filter((each) => each !== '')
    expect(completed('pixpress comp').sort()).toEqual(['completion', 'compress'])
    expect(completed('pixpress compress --min-s')).toEqual(['--min-saving'])
    expect(completed('pixpress compress --quality ').sort()).toEqual(['balanced', 'high', 'small'])
    expect(completed('pixpress cache pr')).toEqual(['prune'])
    expect(completed('pixpress compress --convert avif,we')).toEqual(['avif,webp'])
  })
})

describe('pixpress completion', () => {
  it('refuses another shell', async () => {
    expect(await folder.run(['completion', 'fihs'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/bash, zsh, fish.*'fish'/),
    })
  })
})
