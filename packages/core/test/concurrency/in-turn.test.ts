import { mkdir, rm, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/sha256.ts'
import { inTurn } from '../../src/concurrency/in-turn.ts'

const markOf = (file: string): string =>
  path.join(os.tmpdir(), `pixpress-${sha256(Buffer.from(file)).slice(0, 32)}.turn`)

it('lets one at a time work on a file, and gives the turn on when work fails', async () => {
  const file = path.join(os.tmpdir(), `in-turn-${process.pid}-a`)
  let working = 0
  const most: number[] = []
  const work = async (fails: boolean): Promise<void> => {
    most.push(++working)
    await sleep(1)
    working--
    if (fails) throw new Error('failed')
  }
  const all = await Promise.allSettled([false, true, false, true].map((fails) => inTurn(file, () => work(fails))))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(most).toEqual([1, 1, 1, 1])
})

it('takes the turn of a process that was killed', async () => {
  const file = path.join(os.tmpdir(), `in-turn-${process.pid}-b`)
  await mkdir(markOf(file))
  await utimes(markOf(file), 1, 1)
  expect(await inTurn(file, async () => 'done')).toBe('done')
  await rm(markOf(file), { recursive: true, force: true })
})
