import { expect, it, vi } from 'vitest'
import { checkCache } from '../../src/doctor/folders.ts'
import { useFolder } from '../command-line.ts'

vi.mock('node:fs/promises', async (load) => ({
  ...(await load<typeof import('node:fs/promises')>()),
  statfs: () => Promise.reject(new Error('Method not implemented')),
}))

const folder = useFolder()

it('takes a cache for whole whose disk cannot be asked for its room', async () => {
  expect(await checkCache({ cwd: folder.path, env: {} })).toMatchObject({ state: 'ok' })
})
