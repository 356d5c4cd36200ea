import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { serverNode } from './server-node.js'
import { createTestAuthority } from './test-authority.ts'
import { WORKSPACE } from './tools.ts'

/** Options of the server. */
export interface ImageServerOptions {
  /** The API key of the one account. */
  readonly key: string
  /** Flags of `pixpress serve` besides those of its address, key, certificate and data. */
  readonly flags?: readonly string[]
}

/** A request as the server's own log tells it. */
export interface LoggedRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  /** Bytes of the request's body. */
  readonly bytesIn: number
}

/** `pixpress serve` in a process of its own: the built command, over TLS, with a data folder of its own. */
export interface ImageServer {
  /** `https://127.0.0.1:<port>`, the same after a restart. */
  readonly endpoint: string
  readonly key: string
  /** The authority's certificate, PEM. */
  readonly ca: string
  /** Since the first start, without those of `compressions`; complete up to the latest of these. */
  readonly requests: readonly LoggedRequest[]
  /** Images that were uploaded and compressed: each is one line of the log. */
  readonly uploads: number
  /** Returns the account's compressions of the month, asked in the way that every client of the interface can ask. */
  compressions(): Promise<number>
  /** Ends the process at once, in the middle of whatever it does (SIGKILL). */
  kill(): Promise<void>
  /** Starts it again on the same address and data, with these flags. */
  restart(flags?: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Milliseconds until it has to listen. */
const START_TIMEOUT = 120_000

/**
 * Starts the server on a free port of 127.0.0.1.
 * @throws Error with what the server said when it does not listen in time
 */
export async function startImageServer({ key, flags = [] }: ImageServerOptions): Promise<ImageServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-server-'))
  const authority = await createTestAuthority()
  await writeFile(path.join(folder, 'cert.pem'), authority.server.cert)
  await writeFile(path.join(folder, 'key.pem'), authority.server.key, { mode: 0o600 })
  const requests: LoggedRequest[] = []
  /** Callbacks by the id of their request, called when the log has come to it. */
  const questions = new Map<string, () => void>()
  let process: ChildProcess
  let endpoint = ''

  async function start(given: readonly string[]): Promise<void> {
    const port = endpoint === '' ? '0' : new URL(endpoint).port
    const child = spawn(serverNode(), [...COMMAND, '--port', port, ...ownFlags(folder), ...given], {
      env: { ...globalThis.process.env, PIXPRESS_KEYS: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    process = child
    createInterface(child.stdout).on('line', (line) => readLine(line, requests, questions))
    endpoint = await listening(child)
  }

  /** When its line of the log is here, those of all answers before it are here too. */
  async function compressions(): Promise<number> {
    const id = `count-${questions.size}`
    const logged = new Promise<void>((resolve) => void questions.set(id, resolve))
    const count = await readCount({ endpoint, key, ca: authority.ca, id })
    await logged
    return count
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (process.exitCode !== null || process.signalCode !== null) return
    const ended = once(process, 'close')
    process.kill(signal)
    await ended
  }

  try {
    await start(flags)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    endpoint,
    key,
    ca: authority.ca,
    requests,
    get uploads() {
      return requests.filter(({ route, status }) => route === '/shrink' && status === 201).length
    },
    compressions,
    kill: () => end('SIGKILL'),
    async restart(given = []) {
      await end('SIGTERM')
      await start(given)
    },
    async close() {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Adds a line of the log to the requests, unless it answers a question. */
function readLine(text: string, requests: LoggedRequest[], questions: ReadonlyMap<string, () => void>): void {
  const { event, request, method, route, status, bytesIn } = JSON.parse(text) as LogLine
  if (event !== 'request') return
  const asked = questions.get(request)
  if (asked === undefined) requests.push({ method, route, status, bytesIn })
  else asked()
}

type LogLine = LoggedRequest & { readonly event: string; readonly request: string }

const COMMAND = [path.join(WORKSPACE, 'packages', 'cli', 'dist', 'bin.js'), 'serve'] as const

const ownFlags = (folder: string): string[] => [
  `--data=${path.join(folder, 'data')}`,
  `--tls-cert=${path.join(folder, 'cert.pem')}`,
  `--tls-key=${path.join(folder, 'key.pem')}`,
  '--metrics-port=none',
  '--drain-delay=10ms',
  '--drain-timeout=2s',
]

/** Waits for the address that the server names when it is ready. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => void child.kill('SIGKILL'), START_TIMEOUT)
    child.stderr!.on('data', (piece: Buffer) => {
      said += piece.toString()
      const [address] = /https:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
    child.once('close', () => {
      clearTimeout(timer)
      reject(new Error(`The image server did not start: ${said}`))
    })
  })
}

interface Account {
  readonly endpoint: string
  readonly key: string
  readonly ca: string
  /** Id of the request. */
  readonly id: string
}

/** An upload of nothing is refused, at no cost, and the refusal tells the count. */
function readCount({ endpoint, key, ca, id }: Account): Promise<number> {
  const settings = { method: 'POST', auth: `api:${key}`, ca, agent: false, headers: { 'X-Request-Id': id } }
  return new Promise((resolve, reject) => {
    const request = https.request(new URL('/shrink', endpoint), settings, (response) => {
      response.resume()
      const count = Number(response.headers['compression-count'])
      if (Number.isInteger(count)) resolve(count)
      else reject(new Error(`The server answers ${response.statusCode} without a count.`))
    })
    request.on('error', reject).end()
  })
}
