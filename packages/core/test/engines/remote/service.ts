import { refuse, startImageService } from '@pixpress/testkit'
import type { ImageService, ImageServiceOptions, ScriptedAnswer } from '@pixpress/testkit'
import { afterEach } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { createMemoryCache } from '../../../src/cache/memory-store.ts'
import { createRemoteEngine } from '../../../src/engines/remote/engine.ts'
import type { RemoteEngine, RemoteEngineOptions } from '../../../src/engines/remote/engine.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import type { Optimizer } from '../../../src/optimizer/index.ts'

const openedServices: ImageService[] = []

afterEach(async () => {
  await Promise.all(openedServices.splice(0).map((service) => service.close()))
})

export function engineFor(
  { endpoint }: Pick<ImageService, 'endpoint'>,
  keys: readonly string[] = ['test-key'],
  options: Partial<RemoteEngineOptions> = {},
): RemoteEngine {
  const open = async () =>
    keys.map((key) => ({ name: key, client: createClient({ key, endpoint, retries: 0, timeout: 5000 }) }))
  return createRemoteEngine({ endpoint, open, ...options })
}

/** A service, and an optimizer that asks it. */
export interface Setting {
  readonly service: ImageService
  readonly engine: RemoteEngine
  readonly optimizer: Optimizer
  readonly warnings: string[]
}

/** Starts a service that answers with the script first; it is closed after the test. */
export async function start(
  options: Partial<RemoteEngineOptions> & { keys?: readonly string[]; service?: ImageServiceOptions } = {},
  ...script: ScriptedAnswer[]
): Promise<Setting> {
  const { keys, service: serviceOptions, ...engineOptions } = options
  const service = await startImageService(serviceOptions)
  openedServices.push(service)
  service.script.push(...script)
  const warnings: string[] = []
  const onWarning = (message: string): void => void warnings.push(message)
  const engine = engineFor(service, keys, { onWarning, ...engineOptions })
  return { service, engine, optimizer: createOptimizer({ engine, cache: createMemoryCache() }), warnings }
}

export const requestsOf = ({ service }: Setting): string[] =>
  service.requests.map(({ method, path }) => `${method} ${path}`)
export const away: ScriptedAnswer = (response) => refuse(response, 503, 'ServiceUnavailable', 'Away.')

export const send =
  (type: string, data: Uint8Array): ScriptedAnswer =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': type, 'Content-Length': data.length }).end(data)
export const upload: ScriptedAnswer = (response) => void response.writeHead(201, { Location: '/output/1' }).end('{}')
