import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createOptimizer } from '@pixpress/core'
import { answerAsService } from './image-service-answers.ts'
import type { ScriptedAnswer, SeenRequest, ServiceState } from './image-service-answers.ts'
import type { TestCertificate } from './test-authority.ts'

export { refuse } from './image-service-answers.ts'
export type { ScriptedAnswer, SeenRequest } from './image-service-answers.ts'

/** Options of the service. */
export interface ImageServiceOptions {
  /** Keys of the accounts. Default `['test-key']`. */
  readonly keys?: readonly string[]
  /** Compressions a month that each account may make. Default: no bound. */
  readonly quota?: number
  /** Serves https. */
  readonly tls?: TestCertificate
  /** The form of outputs' URLs in `Location`. Default: absolute. */
  readonly locations?: 'absolute' | 'relative'
}

/** The image compression interface on this machine, with core's local engine behind it. */
export interface ImageService {
  /** Base address. */
  readonly endpoint: string
  /** Every request, in the order of arrival, scripted ones included. */
  readonly requests: readonly SeenRequest[]
  /** Compressions of each account. */
  readonly counts: ReadonlyMap<string, number>
  /** Answers for the next requests, used up one by one before the service itself answers. */
  readonly script: ScriptedAnswer[]
  /** Forgets every output, as after the time that the service keeps them. */
  forgetOutputs(): void
  close(): Promise<void>
}

/** Starts a service on a free port of 127.0.0.1. */
export async function startImageService(options: ImageServiceOptions = {}): Promise<ImageService> {
  const { keys = ['test-key'], quota = Infinity, tls, locations = 'absolute' } = options
  const requests: SeenRequest[] = []
  const script: ScriptedAnswer[] = []
  const state: ServiceState = {
    optimizer: createOptimizer(),
    counts: new Map(keys.map((key) => [key, 0])),
    quota,
    outputs: new Map(),
    locate: (path) => ({ url: `${endpoint}${path}`, location: locations === 'absolute' ? `${endpoint}${path}` : path }),
  }

  const listener: RequestListener = (request, response) => {
    void readRequest(request).then(
      async (seen) => {
        requests.push(seen)
        const scripted = script.shift()
        await (scripted === undefined ? answerAsService(state, seen, response) : scripted(response, seen))
      },
      () => response.destroy(),
    )
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const endpoint = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    endpoint,
    requests,
    counts: state.counts,
    script,
    forgetOutputs: () => state.outputs.clear(),
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
      await state.optimizer.close()
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, body: Buffer.concat(chunks) }
}
