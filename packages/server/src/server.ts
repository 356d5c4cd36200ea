import type http from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { PixpressError } from '@pixpress/core'
import { createAccounting } from './accounts/accounting.ts'
import { createDelivery } from './delivery/index.ts'
import { createApp } from './routes/app.ts'
import { createImageWork } from './routes/image-work.ts'
import type { ImageWork } from './routes/image-work.ts'
import { createStoreOutput } from './routes/store-output.ts'
import type { Backend } from './storage/contract.ts'
import { openLocalBackend } from './storage/local/local.ts'
import { createHttpServer } from './http/http-server.ts'
import { createOwnOrigin } from './http/own-origin.ts'
import { createUploadMemory } from './http/upload-memory.ts'
import type { UploadMemory } from './http/upload-memory.ts'
import { tellDecoders } from './telemetry/decoders.ts'
import { errorFields } from './telemetry/log.ts'
import type { Log } from './telemetry/log.ts'
import { createMetrics, createMetricsServer } from './telemetry/metrics.ts'
import type { Gauges } from './telemetry/metrics.ts'
import { NO_TELEMETRY } from './telemetry/tracing.ts'
import type { Telemetry } from './telemetry/tracing.ts'
import type { OwnKey } from './accounts/key-file.ts'
import { createKeyRing } from './accounts/key-ring.ts'
import { makeKeys } from './made-keys.ts'
import type { MadeKeys } from './made-keys.ts'
import { createReload, givenKeys } from './reload.ts'
import type { ServerSettings } from './settings/settings.ts'

/** Milliseconds between looks for outputs whose time is over. */
const SWEEP_EVERY = 60_000

/** A server that listens. */
export interface RunningServer {
  /** The address at which it listens: scheme, host and port. */
  readonly url: string
  /** Where the metrics are; `undefined` when they are off or their port was taken. */
  readonly metricsUrl: string | undefined
  /** The key that the server made for itself, where none was given. */
  readonly ownKey: OwnKey | undefined
  /**
   * URL of the page for people on this machine, with a key that holds until the server ends: nobody has to type one.
   * `undefined` where keys were given, or other machines reach the server.
   */
  readonly pageUrl: string | undefined
  /**
   * Takes the keys, the default limits (`rate`, `monthlyLimit`) and the certificate of other settings; what else they
   * say needs another server. Requests and connections under way go on.
   * @returns what has changed, in one line for people
   * @throws PixpressError `INVALID_OPTION` where encryption would begin or end, and nothing has changed
   */
  reload(settings: ServerSettings): string
  /**
   * Stops without losing a request: `/readyz` fails, and after the drain delay nothing new is accepted, what is under
   * way is finished, and everything is closed. Further calls wait for the same.
   * @returns whether every request was finished within the drain timeout
   */
  close(): Promise<boolean>
}

/**
 * Starts the server.
 * @throws PixpressError `IO_FAILED` when it cannot listen, and what opening the back end throws
 */
export async function startServer(settings: ServerSettings, log: Log): Promise<RunningServer> {
  const telemetry = await startTelemetry(settings, log)
  const backend = await openBackend(settings)
  const work = createImageWork(settings, telemetry.tracing)
  try {
    await tellDecoders(settings.sandbox, log)
    const made = await makeKeys(settings, backend, log)
    return await listenAndServe({ settings, log, backend, work, made, telemetry })
  } catch (error) {
    await work.close()
    await backend.close()
    await telemetry.close()
    throw error
  }
}

/** @throws PixpressError `MACHINE_UNFIT` where the packages of OpenTelemetry are missing */
async function startTelemetry({ otel }: ServerSettings, log: Log): Promise<Telemetry> {
  if (otel === 'none') return NO_TELEMETRY
  const { startOtel } = await import('./telemetry/otel.ts')
  return startOtel(process.env, log)
}

/** @throws BackendUnavailableError */
async function openBackend(settings: ServerSettings): Promise<Backend> {
  const { data, shared, cacheSize, delivery, isPersonal } = settings
  if (shared === undefined) {
    const tables = isPersonal === true ? 'memory' : 'sqlite'
    return openLocalBackend({ folder: data, cacheSize, tables, ...(delivery && { deliverySize: delivery.cacheSize }) })
  }
  // The code is loaded when it is used: one machine needs neither client.
  const { openSharedBackend } = await import('./storage/shared/redis-s3.ts')
  return openSharedBackend(shared)
}

/** Places of 16 MB for uploads that are kept and used again. */
const MAX_PLACES = 8

interface Parts {
  readonly settings: ServerSettings
  readonly log: Log
  readonly backend: Backend
  readonly work: ImageWork
  readonly made: MadeKeys
  readonly telemetry: Telemetry
}

/** Listens on all ports. */
async function listenAndServe({ settings, log, backend, work, made, telemetry }: Parts): Promise<RunningServer> {
  const { host, port, tls } = settings
  const memory = openMemory(settings, work)
  const { tracing } = telemetry
  const metrics = createMetrics(telemetry.mirror?.duration)
  let draining = false
  let closing: Promise<boolean> | undefined

  const { ownKey, pageKey, all: madeKeys } = made
  const keys = createKeyRing(backend.keys, givenKeys(settings, madeKeys))
  const { delivery } = settings
  const parts = { backend, work, memory, metrics, log, tracing, clock: Date.now }
  const app = createApp({
    ...parts,
    settings,
    delivery: delivery && createDelivery({ ...parts, settings: { ...settings, delivery } }),
    origin: createOwnOrigin(settings),
    keys,
    accounting: createAccounting(backend.counts),
    store: createStoreOutput(settings.storeEndpoints),
    draining: () => draining,
  })
  const server = createHttpServer(app.fetch, {
    tls,
    uploadTimeout: settings.uploadTimeout,
    answerTimeout: settings.maxWait + settings.limits.timeout,
    retryAfter: () => work.retryAfter(''),
    onMalformed: (code) => log.info('malformed request', { code }),
    closing: () => draining,
  })
  const address = await listen(server, host, port)
  const gauges = { ...workGauges(work), uploadBytes: () => memory.used }
  telemetry.mirror?.start(() => metrics.families(gauges))
  const metricsServer = createMetricsServer(() => metrics.render(gauges))
  const metricsUrl = await listenForMetrics(metricsServer, settings, log).catch(async (error: unknown) => {
    await stop(server)
    throw error
  })
  const stopSweeping = sweepRegularly(backend, log)
  const url = `${tls === undefined ? 'http' : 'https'}://${hostInUrl(host)}:${address.port}`
  log.info('listening', { url, metrics: metricsUrl, backend: backend.name, concurrency: settings.concurrency })

  return {
    url,
    metricsUrl,
    ownKey,
    pageUrl: pageKey === undefined ? undefined : `${url}/#key=${pageKey.key}`,
    reload: createReload({ server, keys, madeKeys, log }, settings),
    close() {
      draining = true
      closing ??= drain({ settings, server, metricsServer, stopSweeping, work, backend, telemetry })
      return closing
    },
  }
}

function openMemory({ uploadMemory, concurrency }: ServerSettings, work: ImageWork): UploadMemory {
  return createUploadMemory(uploadMemory, Math.min(2 * concurrency, MAX_PLACES), work.retryAfter)
}

function workGauges(work: ImageWork): Pick<Gauges, 'queueLength' | 'working' | 'accounts'> {
  return { queueLength: () => work.waiting, working: () => work.working, accounts: work.counts }
}

/** Everything that a server has opened. */
interface OpenParts extends Pick<Parts, 'settings' | 'work' | 'backend' | 'telemetry'> {
  readonly server: http.Server
  readonly metricsServer: http.Server
  readonly stopSweeping: () => void
}

/** Finishes what is under way, then closes everything. @returns whether all of it was finished in time */
async function drain(parts: OpenParts): Promise<boolean> {
  const { settings, server, metricsServer, stopSweeping, work, backend, telemetry } = parts
  await delay(settings.drainDelay)
  const finished = await stopWithin(server, settings.drainTimeout)
  stopSweeping()
  if (metricsServer.listening) await stop(metricsServer)
  await work.close()
  await backend.close()
  await telemetry.close()
  return finished
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message
      reject(
        new PixpressError('IO_FAILED', `Cannot listen on ${hostInUrl(host)}:${port}: ${reason}.`, { cause: error }),
      )
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

async function listenForMetrics(
  server: http.Server,
  { metrics }: ServerSettings,
  log: Log,
): Promise<string | undefined> {
  if (metrics === undefined) return undefined
  try {
    const { port } = await listen(server, metrics.host, metrics.port)
    return `http://${hostInUrl(metrics.host)}:${port}/metrics`
  } catch (error) {
    if (metrics.required) throw error
    // Nobody asked for this port: a second server on the machine is no reason not to start.
    log.warn('no metrics', { reason: error instanceof Error ? error.message : String(error) })
    return undefined
  }
}

/** Stops accepting, waits for what is under way, and cuts off what takes too long. */
async function stopWithin(server: http.Server, timeout: number): Promise<boolean> {
  let finished = true
  // A connection becomes idle only when its answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => {
    finished = false
    server.closeAllConnections()
  }, timeout)
  await stop(server)
  clearInterval(idle)
  clearTimeout(cut)
  return finished
}

function stop(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

function sweepRegularly(backend: Backend, log: Log): () => void {
  let sweeping = false
  const sweep = async (): Promise<void> => {
    if (sweeping) return
    sweeping = true
    try {
      const outputs = await backend.sweep(Date.now())
      if (outputs > 0) log.info('swept', { outputs })
    } catch (error) {
      log.warn('sweep failed', errorFields(error))
    } finally {
      sweeping = false
    }
  }
  const timer = setInterval(() => void sweep(), SWEEP_EVERY)
  timer.unref()
  void sweep()
  return () => clearInterval(timer)
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
