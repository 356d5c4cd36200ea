import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Surroundings } from '../base/output.ts'
import { EXIT } from '../base/exit.ts'
import type { Server } from './serve.ts'

/** A server for this machine alone, on any free port. It gets no settings of the environment: those are for `serve`. */
const ARGUMENTS = ['--host', '127.0.0.1', '--port', '0', '--metrics-port', 'none', '--data']

/** Programs that open an address in the person's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
const OPENER = ['xdg-open'] as const

/**
 * Opens a page to drop pictures on, until the person ends it. Uploads lie in a temporary folder, which goes with it.
 */
export async function openPage(
  { env, stderr, signal }: Surroundings,
  { serve }: Pick<Server, 'serve'>,
): Promise<number> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'pixpress-page-'))
  const host: Parameters<Server['serve']>[2] = {
    // One line of JSON for each request is for operators.
    out: () => undefined,
    error(text) {
      const [, url] = /^Page on (\S+)$/m.exec(text) ?? []
      if (url === undefined) return void (signal.aborted || stderr.write(`${text}\n`))
      stderr.write(`pixpress  Drop pictures on ${url}\nCtrl+C ends it. All commands: pixpress --help\n`)
      openInBrowser(url, env)
    },
    onSignal(callback) {
      const end = (): void => callback('SIGINT')
      signal.addEventListener('abort', end, { once: true })
      return () => signal.removeEventListener('abort', end)
    },
    exit: (code) => process.exit(code),
    nodeVersion: process.versions.node,
    isPersonal: true,
  }
  try {
    const code = await serve([...ARGUMENTS, data], {}, host)
    return signal.aborted ? EXIT.ok : code
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Does nothing where there is no browser, or with `BROWSER=none`: the address is printed. */
function openInBrowser(url: string, env: Surroundings['env']): void {
  const { BROWSER } = env
  if (BROWSER === 'none') return
  const [program = '', ...args] = OPENERS[process.platform] ?? OPENER
  const opened = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  opened.on('error', () => undefined)
  opened.unref()
}
