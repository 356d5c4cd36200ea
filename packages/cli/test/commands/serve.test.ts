import { isBuiltin } from 'node:module'
import { expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

it.skipIf(isBuiltin('node:sqlite'))('says which Node it needs', async () => {
  const { code, stderr } = await folder.run(['serve'])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `pixpress: 'pixpress serve' needs Node 22.13 or newer, for the database that it holds; this is ${process.versions.node}.\n`,
  )
})
