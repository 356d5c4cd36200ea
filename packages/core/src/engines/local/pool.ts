import { Worker } from 'node:worker_threads'
import { shareProcessLock } from '../../concurrency/process-lock.ts'
import { PixpressError } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'
import { fromPlainError } from './messages.ts'
import type { Reply } from './messages.ts'
import { createTimeLimits } from './time-limit.ts'

/** Does jobs, in threads or on the calling one. */
export interface Runner {
  run(job: Job): Promise<JobResult>
  close(): Promise<void>
}

/** Milliseconds after which an idle thread is ended, so that a watching process gives its memory back. */
const IDLE = 10_000

interface Thread {
  worker: Worker
  idle: NodeJS.Timeout | undefined
  /** The family of the last job, whose pixels the thread may still have. */
  family: string | undefined
  settle: ((reply: Reply) => void) | undefined
  fail: ((error: Error) => void) | undefined
}

/** The threads of a pool, and the jobs that wait for one. */
interface Threads {
  /** The most threads at once. */
  readonly size: number
  readonly all: Set<Thread>
  readonly free: Thread[]
  readonly waiting: ((thread: Thread) => void)[]
}

/**
 * Creates a pool of up to `size` threads, started when needed. A job that exceeds its time limit ends its thread:
 * native code and svgo cannot be interrupted otherwise. Idle threads never keep the process alive.
 */
export function createPool(size: number): Runner {
  shareProcessLock()
  const timeLimits = createTimeLimits()
  const threads: Threads = { size, all: new Set(), free: [], waiting: [] }
  let lastId = 0
  return {
    async run(job) {
      const thread = await acquire(threads, job)
      thread.family = job.family
      const giveUp = (): void => discard(threads, thread, new Error('timeout'))
      try {
        return await timeLimits.within(send(thread, ++lastId, job), job, giveUp)
      } finally {
        release(threads, thread)
      }
    },
    async close() {
      // A thread at work finishes its job, for another build may wait for it; idle then, it ends by itself.
      await Promise.all(
        threads.free.splice(0).map((thread) => {
          threads.all.delete(thread)
          clearTimeout(thread.idle)
          return thread.worker.terminate()
        }),
      )
    },
  }
}

/** Takes a free thread, one that has done the family's last job if there is such a one, or waits for one. */
function acquire(threads: Threads, { family }: Job): Promise<Thread> {
  const { free, all, size, waiting } = threads
  const same = family === undefined ? -1 : free.findIndex((each) => each.family === family)
  const thread = free.splice(same, 1)[0] ?? (all.size < size ? start(threads) : undefined)
  if (thread === undefined) return new Promise((resolve) => waiting.push(resolve))
  clearTimeout(thread.idle)
  thread.worker.ref()
  return Promise.resolve(thread)
}

function start(threads: Threads): Thread {
  // The path holds from here and from the bundled entry, which lies as deep.
  const worker = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [], name: 'pixpress' })
  const thread: Thread = { worker, idle: undefined, family: undefined, settle: undefined, fail: undefined }
  threads.all.add(thread)
  worker.on('message', (reply: Reply) => thread.settle?.(reply))
  worker.on('error', (error) => discard(threads, thread, error))
  worker.on('exit', (code) => discard(threads, thread, new Error(`the thread ended with code ${code}`)))
  return thread
}

/** Ends a thread; another one takes its place where jobs wait. */
function discard(threads: Threads, thread: Thread, error: Error): void {
  const { all, free, waiting } = threads
  if (!all.delete(thread)) return
  const at = free.indexOf(thread)
  if (at !== -1) free.splice(at, 1)
  clearTimeout(thread.idle)
  thread.fail?.(error)
  void thread.worker.terminate()
  const next = waiting.shift()
  if (next) next(start(threads))
}

/** Gives a thread to the next job, or lets it idle. */
function release(threads: Threads, thread: Thread): void {
  thread.settle = undefined
  thread.fail = undefined
  if (!threads.all.has(thread)) return
  const next = threads.waiting.shift()
  if (next) {
    next(thread)
    return
  }
  thread.worker.unref()
  threads.free.push(thread)
  thread.idle = setTimeout(() => discard(threads, thread, new Error('idle')), IDLE)
  thread.idle.unref()
}

function send(thread: Thread, id: number, job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    thread.settle = (reply) => {
      if (reply.id !== id) return
      if ('result' in reply) resolve(reply.result)
      else reject(fromPlainError(reply.error))
    }
    thread.fail = (error) =>
      reject(
        codecFault(error) ??
          new PixpressError('INTERNAL', `The working thread failed: ${error.message}.`, {
            file: job.file,
            cause: error,
          }),
      )
    // One copy that is handed over: cloning by message copies twice, and the whole of a buffer that others share.
    const source = new Uint8Array(job.source)
    thread.worker.postMessage({ id, job: { ...job, source } }, [source.buffer])
  })
}
