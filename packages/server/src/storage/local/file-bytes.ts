import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { attemptOnDisk, syncFolder, unlessMissing } from './disk.ts'
import { writeSynced } from './synced-file.ts'
import type { OutputBytes, OutputPart } from '../contract.ts'

/** Milliseconds after which a file that no record knows is a leftover, and not an upload that is being written. */
const LEFTOVER_AGE = 3_600_000

/** Bytes that are written to see whether anything can be: as many as a small image has. */
const TRIAL = new Uint8Array(65_536)

/** Bytes of outputs in files. */
export interface FileBytes extends OutputBytes {
  /** Writes a small file and removes it. @throws BackendUnavailableError when that fails, on a full disk say */
  tryWriting(): Promise<void>
  /** Removes files older than an hour that belong to no output: what a crash between two writes leaves behind. */
  removeLeftovers(now: number, isKnown: (id: string) => boolean): Promise<void>
}

/**
 * Keeps bytes in `<folder>/<first two digits of the id>/<id>.<part>`. A file is written under another name, synced,
 * renamed, and the folder synced, so that a file under its own name is whole, also after a power cut.
 */
export function createFileBytes(folder: string): FileBytes {
  const shelf = (id: string): string => path.join(folder, id.slice(0, 2))
  const file = (id: string, part: OutputPart): string => path.join(shelf(id), `${id}.${part}`)
  const temporaryFile = (id: string): string => path.join(shelf(id), `${id}.${randomBytes(6).toString('hex')}.tmp`)

  return {
    async tryWriting() {
      await attemptOnDisk('write', async () => {
        // The id of a trial file, which lies among the outputs: a crash's leftovers are removed with theirs.
        const id = '00'
        await mkdir(shelf(id), { recursive: true })
        const temporary = temporaryFile(id)
        try {
          await writeSynced(temporary, TRIAL)
        } finally {
          await rm(temporary, { force: true })
        }
      })
    },
    async put(id, part, bytes) {
      await attemptOnDisk('write', async () => {
        const made = await mkdir(shelf(id), { recursive: true })
        if (made !== undefined) await syncFolder(path.dirname(made))
        const temporary = temporaryFile(id)
        try {
          await writeSynced(temporary, bytes)
          await rename(temporary, file(id, part))
        } catch (error) {
          await rm(temporary, { force: true })
          throw error
        }
        await syncFolder(shelf(id))
      })
    },
    get: (id, part) => attemptOnDisk('read', () => unlessMissing(readFile(file(id, part)))),
    stream: (id, part) =>
      attemptOnDisk('read', async () => {
        const handle = await unlessMissing(open(file(id, part), 'r'))
        if (handle === undefined) return undefined
        return Readable.toWeb(createReadStream('', { fd: handle })) as ReadableStream<Uint8Array>
      }),
    async delete(id) {
      await attemptOnDisk('delete', async () => {
        await unlessMissing(unlink(file(id, 'output')))
        await unlessMissing(unlink(file(id, 'upload')))
      })
    },
    async removeLeftovers(now, isKnown) {
      await attemptOnDisk('list', async () => {
        for (const name of (await unlessMissing(readdir(folder))) ?? []) {
          for (const entry of await readdir(path.join(folder, name))) {
            if (!entry.endsWith('.tmp') && isKnown(path.parse(entry).name)) continue
            const leftover = path.join(folder, name, entry)
            const state = await unlessMissing(stat(leftover))
            if (state !== undefined && now - state.mtimeMs > LEFTOVER_AGE) await unlessMissing(unlink(leftover))
          }
        }
      })
    },
  }
}
