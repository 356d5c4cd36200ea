import { isBuiltin } from 'node:module'
import { naming } from '@pixpress/testkit'
import { expect, it, vi } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

it.skipIf(isBuiltin('node:sqlite'))('says which Node it needs', async () => {
  const { code, stderr } = await folder.run(['serve'])
  expect(code).toBe(2)
  expect(stderr).toEqual(naming("'pixpress serve'", '22.13', process.versions.node))
})

it('shows its help on every Node', async () => {
  for (const args of [
    ['serve', '--help'],
    ['help', 'serve'],
  ]) {
    const printed: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    const { code, stdout, stderr } = await folder.run(args)
    write.mockRestore()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(printed.join('') + stdout).toContain('--port')
  }
})
