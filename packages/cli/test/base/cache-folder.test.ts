import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { defaultCacheFolder } from '../../src/base/cache-folder.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

it('is that of the project, from any folder inside of it', () => {
  const own = path.join(folder.path, '.cache', 'pixpress')
  expect(defaultCacheFolder(folder.path, {})).toBe(own)
  expect(defaultCacheFolder(path.join(folder.path, 'a', 'b'), {})).toBe(own)
})

it.skipIf(process.platform !== 'linux')("is the user's outside of a project", () => {
  const { root } = path.parse(folder.path)
  expect(defaultCacheFolder(root, { XDG_CACHE_HOME: '/elsewhere' })).toBe('/elsewhere/pixpress')
  expect(defaultCacheFolder(root, { XDG_CACHE_HOME: 'relative' })).toBe(path.join(os.homedir(), '.cache', 'pixpress'))
  expect(defaultCacheFolder(root, {})).toBe(path.join(os.homedir(), '.cache', 'pixpress'))
})
