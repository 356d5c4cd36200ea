import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createLog, resolveSettings, startServer } from '../../src/index.ts'
import type { GivenSettings, RunningServer } from '../../src/index.ts'
import { sendRequest } from './http.ts'
import type { Answer, RequestOptions } from './http.ts'

export const KEY = 'correct-horse-battery-staple'
export const OTHER_KEY = 'another-account-altogether'

export interface TestServer {
  readonly url: string
  readonly running: RunningServer
  readonly folder: string
  /** Lines of the log, parsed. */
  readonly log: readonly Record<string, unknown>[]
  /** With the right key unless `authorization` says otherwise. */
  send(method: string, target: string, options?: RequestOptions): Promise<Answer>
  stop(): Promise<void>
}

/**
 * A server on a free port of the loopback address with a temporary data folder and two accounts.
 * @param env for what is no flag: the credentials of a bucket
 */
export async function startTestServer(
  given: GivenSettings = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-server-'))
  const log: Record<string, unknown>[] = []
  const settings = resolveSettings(
    {
      port: '0',
      key: `${KEY},${OTHER_KEY}`,
      data: folder,
      'metrics-port': 'none',
      'drain-delay': '1ms',
      rate: 'none',
      ...given,
    },
    env,
  )
  const running = await startServer(
    settings,
    createLog((line) => log.push(JSON.parse(line) as Record<string, unknown>)),
  )
  return {
    url: running.url,
    running,
    folder,
    log,
    send: (method, target, options = {}) =>
      sendRequest(method, new URL(target, running.url), { authorization: basic(KEY), ...options }),
    async stop() {
      await running.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function basic(key: string, user = 'api'): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
}
