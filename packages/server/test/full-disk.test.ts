import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { startTestServer } from './support/server.ts'
import { makeSmallDisk } from './support/small-disk.ts'

const probe = makeSmallDisk(1_000_000)
probe?.remove()

/** A small picture behind 250 kB that are no picture: its output takes far less room than it does. */
async function largeUpload(): Promise<Buffer> {
  const jpeg = await photo(40, 30).jpeg()
  const length = 50_000
  const marker = Buffer.from([0xff, 0xeb, (length + 2) >> 8, (length + 2) & 0xff])
  const segments = Array.from({ length: 5 }, () => Buffer.concat([marker, randomBytes(length)]))
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(folder, 'outputs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

describe('a server whose disk is full', () => {
  it.skipIf(probe === undefined)(
    probe === undefined
      ? 'needs the right to mount a file system of its own, which this user has not'
      : 'refuses uploads without a trace, is not ready, and goes on when there is room',
    async () => {
      const disk = makeSmallDisk(4_000_000)!
      try {
        const server = await startTestServer({ data: disk.folder })
        const status = async (method: string, target: string, body?: Buffer): Promise<number> =>
          (await server.send(method, target, body === undefined ? {} : { body })).status
        try {
          const upload = await largeUpload()
          expect(await status('POST', '/shrink', upload)).toBe(201)
          const kept = (await filesOf(disk.folder)).sort()
          expect(kept.map((name) => path.extname(name))).toEqual(['.output', '.upload'])

          // Enough for the output and not for the upload.
          disk.fill(100_000)
          for (let i = 0; i < 3; i++) expect(await status('POST', '/shrink', upload)).toBe(503)
          expect((await filesOf(disk.folder)).sort()).toEqual(kept)
          const refused = await server.send('POST', '/shrink', { body: upload })
          expect(refused.json()).toEqual({ error: 'ServiceUnavailable', message: expect.stringContaining('disk') })

          disk.fill(0)
          expect(await status('POST', '/shrink', await photo(24, 16).jpeg())).toBe(503)
          expect([await status('GET', '/readyz'), await status('GET', '/healthz')]).toEqual([503, 200])
          expect((await filesOf(disk.folder)).sort()).toEqual(kept)

          disk.empty()
          await expect.poll(() => status('GET', '/readyz')).toBe(200)
          expect(await status('POST', '/shrink', upload)).toBe(201)
          expect((await server.send('POST', '/shrink')).headers['compression-count']).toBe('2')
        } finally {
          await server.stop()
        }
      } finally {
        disk.remove()
      }
    },
  )

  it.skipIf(probe === undefined)(
    probe === undefined
      ? 'needs the right to mount a file system of its own, which this user has not'
      : 'does not start, and says why; nor does one whose disk is read-only',
    async () => {
      const disk = makeSmallDisk(4_000_000)!
      try {
        disk.fill(0)
        const said = `The data folder ${disk.folder} cannot be written to: `
        await expect(startTestServer({ data: disk.folder })).rejects.toThrow(`${said}ENOSPC`)
        disk.empty()
        disk.makeReadOnly()
        await expect(startTestServer({ data: disk.folder })).rejects.toThrow(`${said}EROFS`)
      } finally {
        disk.remove()
      }
    },
  )
})
