import { PixpressError } from '@pixpress/core'
import { BackendUnavailableError } from './storage/contract.ts'
import { createLog } from './telemetry/log.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { helpText, readCommandLine } from './settings/flags.ts'
import { resolveSettings } from './settings/settings.ts'

/** The oldest Node with SQLite. */
const OLDEST_NODE = [22, 13] as const

const EXIT_WRONG_USAGE = 2
const EXIT_FAILED = 1

/** The streams and signals of `serve`: the process's own unless a test gives others. */
export interface ServeHost {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** Calls back on SIGTERM and SIGINT; returns how to stop that. */
  readonly onSignal: (callback: (signal: 'SIGTERM' | 'SIGINT') => void) => () => void
  readonly exit: (code: number) => void
  readonly nodeVersion: string
}

/**
 * Runs the command `pixpress serve`: serves until SIGTERM or SIGINT, then finishes what is under way; a second signal
 * ends it at once.
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
    if (isTooOld(host.nodeVersion)) {
      host.error(
        `pixpress serve needs Node ${OLDEST_NODE.join('.')} or newer, for its SQLite; this is ${host.nodeVersion}.`,
      )
      return EXIT_FAILED
    }
    const running = await startServer(resolveSettings(given, env, nameOf), createLog(host.out))
    // Whoever waits for the greeting may send a signal right after it.
    const stopped = untilStopped(running, host)
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

async function untilStopped(running: RunningServer, host: ServeHost): Promise<number> {
  let stopListening: (() => void) | undefined
  const finished = await new Promise<boolean>((resolve, reject) => {
    let signals = 0
    stopListening = host.onSignal((signal) => {
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
    return () => {
      process.off('SIGTERM', terminate)
      process.off('SIGINT', interrupt)
    }
  },
  exit: (code) => process.exit(code),
  nodeVersion: process.versions.node,
}
