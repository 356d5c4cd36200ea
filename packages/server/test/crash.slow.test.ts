import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { graphic } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { sendRequest } from './support/http.ts'
import { KEY, basic } from './support/server.ts'
import { killServeProcesses, startServeProcess } from './support/serve-process.ts'

const ROUNDS = 15
const CLIENTS = 6

describe('a server that is killed', () => {
  it(`loses no acknowledged count or output, ${ROUNDS} times under load`, { timeout: 180_000 }, async () => {
    const data = await mkdtemp(path.join(os.tmpdir(), 'pixpress-crash-'))
    const body = await graphic(24, 16).png()
    const args = ['--data', data, '--key', KEY, '--rate', 'none']
    const authorization = basic(KEY)
    const acknowledged: { id: string; count: number; size: number }[] = []
    let sent = 0
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const server = await startServeProcess(args)
        const enough = acknowledged.length + 3 + round
        const upload = async (): Promise<void> => {
          for (;;) {
            sent++
            const answer = await sendRequest('POST', new URL('/shrink', server.url), { authorization, body })
            if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.body.toString()}`)
            const { output } = answer.json<{ output: { size: number; url: string } }>()
            const count = Number(answer.headers['compression-count'])
            acknowledged.push({ id: output.url.slice(-32), count, size: output.size })
            if (acknowledged.length >= enough) server.kill('SIGKILL')
          }
        }
        const ends = await Promise.allSettled(Array.from({ length: CLIENTS }, upload))
        server.kill('SIGKILL')
        expect(await server.exited).toBeNull()
        // Every client was cut off by the kill, and none was refused before.
        const reasons = ends.map((end) => String((end as PromiseRejectedResult).reason))
        expect(reasons.filter((reason) => reason.includes('answered'))).toEqual([])
      }

      const server = await startServeProcess(args)
      const counts = acknowledged.map(({ count }) => count)
      expect(new Set(counts).size).toBe(counts.length)
      const validation = await sendRequest('POST', new URL('/shrink', server.url), { authorization })
      const total = Number(validation.headers['compression-count'])
      expect(total).toBeGreaterThanOrEqual(Math.max(...counts))
      expect(total).toBeGreaterThanOrEqual(acknowledged.length)
      expect(total).toBeLessThanOrEqual(sent)
      for (const { id, size } of acknowledged) {
        const answer = await sendRequest('GET', new URL(`/output/${id}`, server.url), { authorization })
        expect([answer.status, answer.body.length]).toEqual([200, size])
      }
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
    } finally {
      killServeProcesses()
      await rm(data, { recursive: true, force: true })
    }
  })
})
