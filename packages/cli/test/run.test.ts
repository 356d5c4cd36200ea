import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { ownVersion } from '../src/base/exit.ts'
import { useFolder } from './command-line.ts'

const folder = useFolder()

describe('pixpress', () => {
  it('without a command shows the help and ends with 2', async () => {
    const { code, stdout, stderr } = await folder.run([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const command of ['compress', 'serve', 'cache', 'report']) expect(stderr).toContain(`  ${command} `)
  })

  it.each(['--help', '-h', 'help'])('%s prints the help', async (flag) => {
    const { code, stdout } = await folder.run([flag])
    expect(code).toBe(0)
    expect(stdout).toContain('pixpress <command> [options]')
  })

  it.each(['--version', '-v'])('%s prints the version', async (flag) => {
    expect(await folder.run([flag])).toMatchObject({ code: 0, stdout: `${ownVersion()}\n` })
    expect(ownVersion()).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('suggests the command that was meant', async () => {
    expect(await folder.run(['comprss'])).toMatchObject({
      code: 2,
      stderr: naming("'comprss'", "'compress'"),
    })
    expect((await folder.run(['photo.jpg'])).stderr).toContain("'pixpress compress photo.jpg'")
  })

  it.each([
    [['optimize'], "Did you mean 'compress'?"],
    [['undo'], "Did you mean 'restore'?"],
    [['clean'], "Did you mean 'cache clear'?"],
    [['compress', '.', '--webp'], "Did you mean '--convert webp'?"],
    [['compress', '.', '--recursive'], 'Folders are read whole, at any depth, without it.'],
    [['compress', '.', '-r'], 'Folders are read whole, at any depth, without it.'],
    [['compress', '.', '--output', 'x'], "Did you mean '--out DIR'?"],
    [['compress', '.', '--qualtiy', '3'], "Did you mean '--quality'?"],
    [['compress', '.', '--threads', '3'], "Did you mean '--concurrency N'?"],
    [['compress', '.', '--elephant'], 'Run it with --help to see what there is.'],
    [['check', '.', '--fix'], "To change files, run 'pixpress compress'."],
    [['check', '.', '--sarif'], "Did you mean '--format sarif'?"],
    [['restore', '--webp'], 'Run it with --help to see what there is.'],
  ])('knows what is meant by %j, and never lists every option', async (args, hint) => {
    const { code, stderr } = await folder.run(args)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^pixpress: Unknown (?:option|command) '[\w-]+'\. .*\n$/)
    expect(stderr).toContain(hint)
  })

  it('says errors as JSON too where JSON is asked for', async () => {
    const usage = await folder.run(['compress', '--json', 'nothing.jpg'])
    expect(JSON.parse(usage.stdout)).toEqual({
      error: { code: 'USAGE', message: expect.stringContaining("'nothing.jpg'") },
    })
    expect(usage).toMatchObject({ code: 2, stderr: expect.stringContaining("'nothing.jpg'") })
    const option = await folder.run(['compress', '.', '--json', '--quality', 'best'])
    expect(JSON.parse(option.stdout)).toMatchObject({ error: { code: 'INVALID_OPTION' } })
    expect((await folder.run(['compress', 'nothing.jpg', '--', '--json'])).stdout).toBe('')
    expect(JSON.parse((await folder.run(['check', 'no', '--format', 'json'])).stdout)).toMatchObject({
      error: { code: 'USAGE' },
    })
  })

  it.each(['compress', 'cache', 'report'])('%s has a help of its own', async (command) => {
    for (const flag of ['--help', '-h']) {
      const { code, stdout, stderr } = await folder.run([command, flag])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`pixpress ${command}`)
    }
  })

  it.each(['compress', 'cache', 'report'])('help %s prints the help of the command', async (command) => {
    const { stdout } = await folder.run([command, '--help'])
    expect(await folder.run(['help', command])).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it('help suggests the command that was meant', async () => {
    expect(await folder.run(['help', 'comprss'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('does not let text from outside move the cursor', async () => {
    const { stderr } = await folder.run(['compress', 'a\u001B[2Jb'])
    expect(stderr).toContain("'a\\x1b[2Jb'")
  })
})
