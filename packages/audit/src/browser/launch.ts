import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { PixpressError } from '@pixpress/core'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'

/** A browser of its own, with nothing of the person's. */
export interface Browser {
  readonly connection: Connection
  /** Ends the process and removes its folder. */
  close(): Promise<void>
}

/**
 * Flags for no window, no requests of the browser's own, and no host but this machine. Requests of pages are
 * intercepted too; those of their workers are not.
 */
const FLAGS: readonly string[] = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--mute-audio',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
]

/** Milliseconds until a browser that does not answer counts as one that does not start. */
const START = 30_000

/** True if the system has groups of processes that can be ended as one. */
const IS_GROUP = process.platform !== 'win32'

/** Characters of the browser's last output that a message shows. */
const LAST_WORDS = 300

/** @throws PixpressError `IO_FAILED` when it does not start */
export async function launchBrowser(program: string, signal: AbortSignal): Promise<Browser> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-audit-'))
  // Its sandbox refuses to work for root, which is who runs containers.
  const isRoot = process.getuid?.() === 0
  const child = spawn(
    program,
    [
      ...FLAGS,
      ...(isRoot ? ['--no-sandbox'] : []),
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], detached: IS_GROUP },
  )
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-LAST_WORDS)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      said = error.message
      resolve()
    })
  })
  const connection = connect(child.stdio[3] as Writable, child.stdio[4] as Readable)
  void ended.then(() => connection.end('the browser has ended'))

  const stop = (): void => {
    try {
      // With its helper processes, which are of its group.
      if (child.pid !== undefined) process.kill(IS_GROUP ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // They have ended by themselves.
    }
  }
  // Whatever ends this process must not leave a browser behind.
  process.once('exit', stop)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  async function close(): Promise<void> {
    // Its profile goes with it, so there is nothing that it would have to write first.
    stop()
    await ended
    process.off('exit', stop)
    signal.removeEventListener('abort', stop)
    // Helper processes may still be writing for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined)
  }

  try {
    await Promise.race([connection.send('Browser.getVersion'), timeout(START)])
    return { connection, close }
  } catch (error) {
    await close()
    const reason = said.trim().split('\n').at(-1) ?? ''
    throw new PixpressError('IO_FAILED', `The browser '${program}' does not start: ${reason || String(error)}`, {
      cause: error,
    })
  }
}

async function timeout(milliseconds: number): Promise<never> {
  await delay(milliseconds, undefined, { ref: false })
  throw new Error(`no answer within ${milliseconds / 1000} seconds`)
}
