import { PixpressError } from '@pixpress/core'
import { BackendUnavailableError } from './storage/contract.ts'
import { createLog } from './telemetry/log.ts'
import type { Log } from './telemetry/log.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { helpText, readCommandLine } from './settings/flags.ts'
import { resolveSettings } from './settings/settings.ts'
import type { ServerSettings } from './settings/settings.ts'

/** The oldest Node with SQLite. */
const OLDEST_NODE = [22, 13] as const

const EXIT_WRONG_USAGE = 2
const EXIT_FAILED = 1

/** The streams and signals of `serve`: the process's own unless a test gives others. */
export interface ServeHost {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** Calls back on each of these signals; returns how to stop that. */
  readonly onSignal: (callback: (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => void) => () => void
  readonly exit: (code: number) => void
  readonly nodeVersion: string
  /** See `ServerSettings.isPersonal`. */
  readonly isPersonal?: true
}

/**
 * Runs the command `pixpress serve`: serves until SIGTERM or SIGINT, then finishes what is under way; a second signal
 * ends it at once. On SIGHUP the keys file and the certificate are read again.
 * @param argv the words after `serve`
 * @returns the exit code: 0 after an orderly end, 1 when it could not start or had to cut requests off, 2 on wrong
 * usage
 */
export async function serve(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  host: ServeHost = PROCESS,
): Promise<number> {
  try {
    const { given, nameOf, help } = readCommandLine(argv, env)
    if (help) {
      host.out(helpText())
      return 0
    }
    const { isPersonal } = host
    if (isPersonal !== true && isTooOld(host.nodeVersion)) {
      host.error(
        `pixpress serve needs Node ${OLDEST_NODE.join('.')} or newer, for its SQLite; this is ${host.nodeVersion}.`,
      )
      return EXIT_FAILED
    }
    const read = (): ServerSettings => ({
      ...resolveSettings(given, env, nameOf),
      ...(isPersonal === true && { isPersonal }),
    })
    const log = createLog(host.out)
    const running = await startServer(read(), log)
    // Whoever waits for the greeting may send a signal right after it.
    const stopped = untilStopped(running, () => host.error(reload(running, read, log)), host)
    host.error(greeting(running).join('\n'))
    return await stopped
  } catch (error) {
    if (!(error instanceof PixpressError || error instanceof BackendUnavailableError)) throw error
    host.error(error.message)
    return error instanceof PixpressError && error.code === 'INVALID_OPTION' ? EXIT_WRONG_USAGE : EXIT_FAILED
  }
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
}

/** Reads the files again, and returns a line about it. A faulty file changes nothing. */
function reload(running: RunningServer, read: () => ServerSettings, log: Log): string {
  try {
    return `Reloaded: ${running.reload(read())}.`
  } catch (error) {
    if (!(error instanceof PixpressError)) throw error
    log.warn('not reloaded', { reason: error.message })
    return `Not reloaded, everything stays as it was: ${error.message}`
  }
}

async function untilStopped(running: RunningServer, onHangup: () => void, host: ServeHost): Promise<number> {
  let stopListening: (() => void) | undefined
  const finished = await new Promise<boolean>((resolve, reject) => {
    let signals = 0
    stopListening = host.onSignal((signal) => {
      if (signal === 'SIGHUP') return onHangup()
      signals++
      if (signals > 1) return host.exit(signal === 'SIGINT' ? 130 : 143)
      host.error('Finishing what is under way; a second signal ends at once.')
      running.close().then(resolve, reject)
    })
  })
  stopListening?.()
  return finished ? 0 : EXIT_FAILED
}

function greeting({ url, metricsUrl, ownKey, pageUrl }: RunningServer): string[] {
  const lines = [
    `Serving on ${url}`,
    ...(pageUrl === undefined ? [] : [`Page on ${pageUrl}`]),
    ...(metricsUrl === undefined ? [] : [`Metrics on ${metricsUrl}`]),
  ]
  if (ownKey === undefined) return lines
  if (ownKey.made === undefined) {
    return [
      ...lines,
      `The key is the one made at the first start. For a new one, delete ${ownKey.file} and start again.`,
    ]
  }
  return [
    ...lines,
    '',
    `A key was made. It is shown this once; only its hash is kept, in ${ownKey.file}`,
    `  ${ownKey.made}`,
    '',
    'Try it:',
    `  curl -i --user api:${ownKey.made} --data-binary @image.png ${url}/shrink`,
    '',
  ]
}

const PROCESS: ServeHost = {
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  onSignal(callback) {
    const terminate = (): void => callback('SIGTERM')
    const interrupt = (): void => callback('SIGINT')
    process.on('SIGTERM', terminate)
    process.on('SIGINT', interrupt)
    // Windows sends it when the console is closed, and ends the process whatever this does.
    const hangUp = (): void => callback('SIGHUP')
    if (process.platform !== 'win32') process.on('SIGHUP', hangUp)
    return () => {
      process.off('SIGTERM', terminate)
      process.off('SIGINT', interrupt)
      process.off('SIGHUP', hangUp)
    }
  },
  exit: (code) => process.exit(code),
  nodeVersion: process.versions.node,
}
