import { isBuiltin } from 'node:module'
import { naming } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

it.skipIf(isBuiltin('node:sqlite'))('says which Node it needs', async () => {
  expect(await folder.run(['keys', 'list'])).toMatchObject({
    code: 2,
    stderr: naming("'pixpress keys'", '22.13') as string,
  })
})

it('shows its help, its flags and its actions on every Node', async () => {
  const { code, stdout, stderr } = await folder.run(['help', 'keys'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('pixpress keys <action> [options]')
  expect(Object.keys(await COMMANDS['keys']!.flags())).toContain('monthly-limit')
  expect(await COMMANDS['keys']!.words!()).toEqual(['add', 'list', 'revoke', 'limit'])
})
