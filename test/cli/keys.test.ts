import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { serverNode, WORKSPACE } from '@pixpress/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command on a Node that the server runs on. */
function keys(...args: string[]): Promise<Ended> {
  const words = [path.join(WORKSPACE, 'packages/cli/dist/bin.js'), 'keys', ...args, '--data', folder]
  return new Promise((resolve) => {
    execFile(serverNode(), words, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

it('adds a key, lists it where it was added, and takes it away', async () => {
  const added = await keys('add', 'shop')
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\npixpress {2}.* shop, /) as string,
  })
  expect((await keys('list')).stdout).toMatch(/^shop {2}/m)
  expect(await keys('revoke', 'nobody')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no such name') as string,
  })
  expect((await keys('revoke', 'shop')).code).toBe(0)
  expect((await keys('list')).stdout).not.toMatch(/^shop {2}/m)
})
