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
 * MB on, a third less of that, and 20 MB of the peak. The heap grows by 16 MB at once and keeps up to 64 MB that are
 * free, for the same reason: 2 to 5 % of all time, and 20 MB of the peak. It is read when a process starts; what the
 * environment says goes first.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '16777216',
  MALLOC_TOP_PAD_: '16777216',
  MALLOC_TRIM_THRESHOLD_: '67108864',
}

const HALF_SPACE = '--max-semi-space-size='

/**
 * Node 20's compiler looks at a function again after so many bytes of its code have run, three times as many as by
 * default: the code that matters here is WebAssembly, and to optimise the rest took 4 % of all time.
 */
const RARELY_OPTIMISED = '--interrupt-budget=400000'

/**
 * Returns flags of Node. With the first, threads free large memories of WebAssembly between two images, as only the
 * collector can (`freeDropped`). With the second, each thread collects its own garbage: four more threads that look
 * for it beside took 4 to 7 % of all time, and every processor is at work anyway. Half-spaces of 1 MB for new objects,
 * in place of 16, let it find buffers earlier that nothing refers to: 66 images converted in two threads peaked at 414
 * MB, with 4 MB at 441. An old space may have 24 MB before all of it is looked at, in place of 2 MB more than are
 * alive: every look takes 15 to 30 ms and hardly finds anything, and 66 images converted took 38 looks in place of 49.
 * With 32 MB they took 28, and a build's peak rose by 25 MB; half-spaces of 2 MB beside cost 60 MB. A size of
 * half-spaces in `NODE_OPTIONS` goes first.
 */
function engineFlags(options: string = ''): string[] {
  return [
    '--expose-gc',
    '--single-threaded-gc',
    ...(process.versions.node.startsWith('20.') ? [RARELY_OPTIMISED] : []),
    ...(options.includes(HALF_SPACE) ? [] : [`${HALF_SPACE}1`]),
    '--initial-old-space-size=24',
  ]
}

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
  const env: Record<string, string> = { ...ALLOCATOR, ...decoderEnvironment(process.env) }
  return {
    env,
    ...(sandbox && { execPath: sandbox.file }),
    execArgv: [...(sandbox ? [...sandbox.args, process.execPath] : []), ...engineFlags(env.NODE_OPTIONS)],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  }
}

/** The state of a process with its jobs. */
interface State {
  /** Threads in the process. */
  readonly size: number
  readonly sandbox: Sandbox | undefined
  /** Jobs at work, by the number of their message. */
  readonly pending: Map<number, Pending>
  child: ChildProcess | undefined
  isReady: boolean
  idle: NodeJS.Timeout | undefined
  /** Threads of this process, where no other can be started. */
  instead: Runner | undefined
  lastId: number
  /** Jobs that were at work when the process broke are done again one by one. */
  alone: Promise<unknown>
}

/**
 * Threads in a process of their own, started when needed: what decoding and encoding leaves in memory goes with it, and
 * a codec that crashes takes no build along. Where no process can be started, threads of this one.
 * @param sandboxed the process is started in a sandbox, where this machine has one. Jobs fail where that one cannot be
 * started any more: nothing is decoded outside of it
 */
export function createProcess(size: number, { sandboxed = false }: { readonly sandboxed?: boolean } = {}): Runner {
  const state: State = {
    size,
    sandbox: sandboxed ? findSandbox().sandbox : undefined,
    pending: new Map(),
    child: undefined,
    isReady: false,
    idle: undefined,
    instead: undefined,
    lastId: 0,
    alone: Promise.resolve(),
  }
  return {
    run: (job) =>
      new Promise((resolve, reject) => void send(state, { job, tries: 0, resolve, reject }).catch(() => undefined)),
    async close() {
      // Work that another build waits for is finished; the process ends by itself then.
      await Promise.all([end(state), state.instead?.close()])
    },
  }
}

function send(state: State, entry: Pending): Promise<JobResult> {
  const { resolve, reject } = entry
  const done = new Promise<JobResult>((fulfil, fail) => {
    entry.resolve = (result) => (resolve(result), fulfil(result))
    entry.reject = (error) => (reject(error), fail(error))
  })
  if (state.instead !== undefined) {
    state.instead.run(entry.job).then(entry.resolve, entry.reject)
    return done
  }
  entry.tries++
  const id = ++state.lastId
  state.pending.set(id, entry)
  clearTimeout(state.idle)
  if (state.child === undefined) {
    state.isReady = false
    state.child = startOrNot(state)
  }
  state.child?.ref()
  state.child?.channel?.ref()
  // A job that cannot be sent is rejected when the process ends.
  state.child?.send({ id, job: entry.job }, () => undefined)
  return done
}

/** Where processes may not be started (Node's permission model, some sandboxes), threads of this one do. */
function startOrNot(state: State): ChildProcess | undefined {
  try {
    return start(state)
  } catch (error) {
    const lost = [...state.pending.values()]
    state.pending.clear()
    if (state.sandbox !== undefined) {
      refuse(lost, state.sandbox, String(error))
      return undefined
    }
    const instead = (state.instead = createPool(state.size))
    for (const entry of lost) instead.run(entry.job).then(entry.resolve, entry.reject)
    return undefined
  }
}

function start(state: State): ChildProcess {
  const started = fork(HOST, [String(state.size)], hostOptions(state.sandbox))
  started.on('message', (message: Reply | 'ready') => {
    if (message === 'ready') state.isReady = true
    else settle(state, message)
  })
  started.on('error', () => discard(state, started, 'it could not be started'))
  started.on('exit', (code, signal) => discard(state, started, `it ended with ${signal ?? `code ${code}`}`))
  return started
}

function settle(state: State, reply: Reply): void {
  const entry = state.pending.get(reply.id)
  if (entry === undefined) return
  state.pending.delete(reply.id)
  if (state.pending.size === 0) rest(state)
  if ('result' in reply) entry.resolve(reply.result)
  else entry.reject(fromPlainError(reply.error))
}

/** Nothing is at work: the process keeps nobody waiting, and ends after a while. */
function rest(state: State): void {
  state.child?.unref()
  state.child?.channel?.unref()
  state.idle = setTimeout(() => void end(state), IDLE)
  state.idle.unref()
}

/** Gives up a process that has ended; its jobs are done again, by the next one or by threads. */
function discard(state: State, gone: ChildProcess, why: string): void {
  if (state.child !== gone) return
  state.child = undefined
  clearTimeout(state.idle)
  const lost = [...state.pending.values()]
  state.pending.clear()
  if (!state.isReady && state.sandbox !== undefined) return refuse(lost, state.sandbox, why)
  if (!state.isReady) state.instead ??= createPool(state.size)
  for (const entry of lost) {
    const again = (): Promise<unknown> => send(state, entry).catch(() => undefined)
    if (state.instead !== undefined) void again()
    else if (entry.tries < MOST_TRIES) state.alone = state.alone.then(again)
    else {
      const { file } = entry.job
      entry.reject(new PixpressError('INTERNAL', `The process that worked on the image broke: ${why}.`, { file }))
    }
  }
}

async function end(state: State): Promise<void> {
  const ending = state.child
  if (ending === undefined || state.pending.size > 0) return
  state.child = undefined
  clearTimeout(state.idle)
  if (!ending.connected) return
  const gone = once(ending, 'exit')
  ending.ref()
  ending.disconnect()
  await gone
}

/** Fails jobs whose sandbox does not start. */
function refuse(lost: readonly Pending[], { name }: Sandbox, why: string): void {
  const sentence = `The sandbox of the decoders (${name}) does not start any more: ${why}.`
  for (const { job, reject } of lost) reject(new PixpressError('MACHINE_UNFIT', sentence, { file: job.file }))
}
