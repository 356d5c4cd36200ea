import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, getEnvironmentData, threadId } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { withProcessLock } from '../../src/concurrency/process-lock.ts'

// The memory of the lock as the module lays it out: its holder (0 is nobody), and how often it was taken.
const word = new Int32Array(getEnvironmentData('pixpress.process-lock') as unknown as SharedArrayBuffer)
const workers: Worker[] = []

/** A thread that takes the lock as the module does, holds it, and says when. */
function holder(hold: number): Worker {
  const script = `
    const { getEnvironmentData, parentPort, threadId } = require('node:worker_threads')
    const word = new Int32Array(getEnvironmentData('pixpress.process-lock'))
    if (Atomics.compareExchange(word, 0, 0, threadId + 1) === 0) {
      Atomics.add(word, 1, 1)
      parentPort.postMessage('held')
      setTimeout(() => Atomics.compareExchange(word, 0, threadId + 1, 0), ${hold})
    }`
  const worker = new Worker(script, { eval: true })
  workers.push(worker)
  return worker
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
  Atomics.store(word, 0, 0)
})

describe('withProcessLock', () => {
  it('does one piece of work at a time, in order', async () => {
    const seen: string[] = []
    const work = (name: string, hold: number) =>
      withProcessLock(async () => {
        seen.push(`${name} begins`)
        await sleep(hold)
        seen.push(`${name} ends`)
        return name
      })
    expect(await Promise.all([work('a', 20), work('b', 1)])).toEqual(['a', 'b'])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('is held by this thread meanwhile, and by nobody afterwards, however the work ends', async () => {
    const failure = new Error('no')
    const held = withProcessLock(() => {
      expect(Atomics.load(word, 0)).toBe(threadId + 1)
      return Promise.reject(failure)
    })
    await expect(held).rejects.toBe(failure)
    expect(Atomics.load(word, 0)).toBe(0)
  })

  it('waits for another thread', async () => {
    const worker = holder(150)
    await new Promise((resolve) => worker.once('message', resolve))
    const start = performance.now()
    let free = false
    await withProcessLock(async () => {
      free = Atomics.load(word, 0) === threadId + 1
      await Promise.resolve()
    })
    expect(free).toBe(true)
    expect(performance.now() - start).toBeGreaterThan(80)
  })

  it('takes the lock of a thread that was ended while it held it', async () => {
    const worker = holder(60_000)
    await new Promise((resolve) => worker.once('message', resolve))
    await worker.terminate()
    expect(Atomics.load(word, 0)).not.toBe(0)
    expect(await withProcessLock(() => Promise.resolve('done'))).toBe('done')
  })
})
