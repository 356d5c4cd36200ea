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

/** Without a window, without requests of the browser's own, and without names that are not of this machine. */
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

/** Milliseconds that a browser has to end by itself. */
const END = 2000

/** Of its last words, as many characters as a message shows. */
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
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
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

  const stop = (): void => void child.kill('SIGKILL')
  // Whatever ends this process must not leave a browser behind.
  process.once('exit', stop)
  signal.addEventListener('abort', stop, { once: true })

  async function close(): Promise<void> {
    connection.send('Browser.close').catch(() => undefined)
    await Promise.race([ended, delay(END, undefined, { ref: false })])
    stop()
    await ended
    process.off('exit', stop)
    signal.removeEventListener('abort', stop)
    // Helper processes may still be writing for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
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
