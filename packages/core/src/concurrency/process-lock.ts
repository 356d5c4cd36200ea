import { setTimeout as sleep } from 'node:timers/promises'
import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads'
import { createLimit } from './limit.ts'

const KEY = 'pixpress.process-lock'
const FREE = 0
const HOLDER = 0
const TIMES_TAKEN = 1

/** Milliseconds between two looks at a lock that another thread holds. */
const PATIENCE = 1

/** Milliseconds after which a lock counts as lost: its thread was ended while it held it. */
const LOST = 10_000

const word = new Int32Array(shareProcessLock())
const me = threadId + 1
const inThisThread = createLimit({ jobs: 1 })

/** Every thread started from here on has the same lock; for who starts threads but takes none itself. */
export function shareProcessLock(): SharedArrayBuffer {
  const known = getEnvironmentData(KEY) as unknown
  if (known instanceof SharedArrayBuffer) return known
  const made = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  setEnvironmentData(KEY, made as unknown as Parameters<typeof setEnvironmentData>[1])
  return made
}

/** Does the work while no other work of this process is done under the lock, on whatever thread. */
export function withProcessLock<T>(work: () => Promise<T>): Promise<T> {
  return inThisThread.run(async () => {
    await take()
    try {
      return await work()
    } finally {
      Atomics.compareExchange(word, HOLDER, me, FREE)
    }
  })
}

async function take(): Promise<void> {
  let turn = Atomics.load(word, TIMES_TAKEN)
  let since = performance.now()
  while (Atomics.compareExchange(word, HOLDER, FREE, me) !== FREE) {
    await sleep(PATIENCE)
    const holder = Atomics.load(word, HOLDER)
    const latest = Atomics.load(word, TIMES_TAKEN)
    if (latest !== turn) {
      turn = latest
      since = performance.now()
    } else if (performance.now() - since > LOST) {
      // Only one of the waiting processes frees the lock, as the exchange fails unless this very holder still has it.
      Atomics.compareExchange(word, HOLDER, holder, FREE)
      since = performance.now()
    }
  }
  Atomics.add(word, TIMES_TAKEN, 1)
}
