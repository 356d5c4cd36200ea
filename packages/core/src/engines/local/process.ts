import { fork } from 'node:child_process'
import type { ChildProcess, ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { PixpressError } from '../../base/errors.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'
import { decoderEnvironment } from './environment.ts'
import { fromPlainError } from './messages.ts'
import type { Reply } from './messages.ts'
import { createPool } from './pool.ts'
import type { Runner } from './pool.ts'
import { findSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** Milliseconds after which an idle process is ended, with all the memory that its codecs and allocators hold. */
const IDLE = 10_000

/** A job that breaks the process twice, the second time on its own, is to blame. */
const MOST_TRIES = 2

/**
 * glibc gives threads that allocate at the same time an arena each, and every arena keeps the most it ever held. With
 * one for all, and large blocks given back at once, 60 images to AVIF and WebP peaked at 500 MB instead of 770. Blocks
 * from 1 MB on given back cost 5 % of the time of large photographs, as each is cleared when it is taken again; from 16
 * MB on, a third less of that, and 20 MB of the peak. It is read when a process starts; what the environment says goes
 * first.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '16777216' }

interface Pending {
  readonly job: Job
  tries: number
  resolve(result: JobResult): void
  reject(error: Error): void
}

/** The file of the process that holds the threads. */
export const HOST: URL = new URL('./host.js', import.meta.url)

/**
 * Returns how the process of the decoders is started: with few variables of the environment, and in a sandbox where one
 * is given.
 */
export function hostOptions(sandbox?: Sandbox): ForkOptions {
  return {
    env: { ...ALLOCATOR, ...decoderEnvironment(process.env) },
    ...(sandbox && { execPath: sandbox.file }),
    execArgv: sandbox ? [...sandbox.args, process.execPath] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  }
}

/**
 * Threads in a process of their own, started when needed: what decoding and encoding leaves in memory goes with it, and
 * a codec that crashes takes no build along. Where no process can be started, threads of this one.
 * @param sandboxed the process is started in a sandbox, where this machine has one. Jobs fail where that one cannot be
 * started any more: nothing is decoded outside of it
 */
export function createProcess(size: number, { sandboxed = false }: { readonly sandboxed?: boolean } = {}): Runner {
  const sandbox = sandboxed ? findSandbox().sandbox : undefined
  const pending = new Map<number, Pending>()
  let child: ChildProcess | undefined
  let isReady = false
  let idle: NodeJS.Timeout | undefined
  let instead: Runner | undefined
  let lastId = 0
  /** Jobs that were at work when the process broke are done again one by one. */
  let alone: Promise<unknown> = Promise.resolve()

  function start(): ChildProcess {
    const started = fork(HOST, [String(size)], hostOptions(sandbox))
    started.on('message', (message: Reply | 'ready') => {
      if (message === 'ready') isReady = true
      else settle(message)
    })
    started.on('error', () => discard(started, 'it could not be started'))
    started.on('exit', (code, signal) => discard(started, `it ended with ${signal ?? `code ${code}`}`))
    return started
  }

  function settle(reply: Reply): void {
    const entry = pending.get(reply.id)
    if (entry === undefined) return
    pending.delete(reply.id)
    if (pending.size === 0) rest()
    if ('result' in reply) entry.resolve(reply.result)
    else entry.reject(fromPlainError(reply.error))
  }

  /** Nothing is at work: the process keeps nobody waiting, and ends after a while. */
  function rest(): void {
    child?.unref()
    child?.channel?.unref()
    idle = setTimeout(() => void end(), IDLE)
    idle.unref()
  }

  function discard(gone: ChildProcess, why: string): void {
    if (child !== gone) return
    child = undefined
    clearTimeout(idle)
    const lost = [...pending.values()]
    pending.clear()
    if (!isReady && sandbox !== undefined) return refuse(lost, sandbox, why)
    if (!isReady) instead ??= createPool(size)
    for (const entry of lost) {
      const again = (): Promise<unknown> => send(entry).catch(() => undefined)
      if (instead !== undefined) void again()
      else if (entry.tries < MOST_TRIES) alone = alone.then(again)
      else {
        const { file } = entry.job
        entry.reject(new PixpressError('INTERNAL', `The process that worked on the image broke: ${why}.`, { file }))
      }
    }
  }

  function send(entry: Pending): Promise<JobResult> {
    const { resolve, reject } = entry
    const done = new Promise<JobResult>((fulfil, fail) => {
      entry.resolve = (result) => (resolve(result), fulfil(result))
      entry.reject = (error) => (reject(error), fail(error))
    })
    if (instead !== undefined) {
      instead.run(entry.job).then(entry.resolve, entry.reject)
      return done
    }
    entry.tries++
    const id = ++lastId
    pending.set(id, entry)
    clearTimeout(idle)
    if (child === undefined) {
      isReady = false
      child = startOrNot()
    }
    child?.ref()
    child?.channel?.ref()
    // A job that cannot be sent is rejected when the process ends.
    child?.send({ id, job: entry.job }, () => undefined)
    return done
  }

  /** Where processes may not be started (Node's permission model, some sandboxes), threads of this one do. */
  function startOrNot(): ChildProcess | undefined {
    try {
      return start()
    } catch (error) {
      const lost = [...pending.values()]
      pending.clear()
      if (sandbox !== undefined) {
        refuse(lost, sandbox, String(error))
        return undefined
      }
      instead = createPool(size)
      for (const entry of lost) instead.run(entry.job).then(entry.resolve, entry.reject)
      return undefined
    }
  }

  async function end(): Promise<void> {
    const ending = child
    if (ending === undefined || pending.size > 0) return
    child = undefined
    clearTimeout(idle)
    if (!ending.connected) return
    const gone = once(ending, 'exit')
    ending.ref()
    ending.disconnect()
    await gone
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => void send({ job, tries: 0, resolve, reject }).catch(() => undefined)),
    async close() {
      // Work that another build waits for is finished; the process ends by itself then.
      await Promise.all([end(), instead?.close()])
    },
  }
}

/** Fails jobs whose sandbox does not start. */
function refuse(lost: readonly Pending[], { name }: Sandbox, why: string): void {
  const sentence = `The sandbox of the decoders (${name}) does not start any more: ${why}.`
  for (const { job, reject } of lost) reject(new PixpressError('MACHINE_UNFIT', sentence, { file: job.file }))
}
