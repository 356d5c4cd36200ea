import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { lookAtFile, replaceFile } from '@pixpress/core/internal'
import { mirroredFolder, relativePath } from '../../base/paths.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { FinishedImage } from '../plan/images.ts'
import { sweepLeastUsed, touch } from './least-used.ts'
import type { Entry } from './least-used.ts'

/**
 * Finished images as plain files, for bundlers that read references from the disk themselves: `<id>/<source's folder>/
 * <name>`. Everything in it can be made again from the cache, so it may be deleted at any time.
 */
export interface ImageFolder {
  /**
   * Writes the bytes whole or not at all, and gives the file's absolute path.
   * @throws PixpressError `IO_FAILED`
   */
  write(id: string, name: string, data: Uint8Array): Promise<string>
  /**
   * Removes what was used least recently when the folder is over its bound, but nothing used within the last two hours.
   */
  sweep(maxSize: number): Promise<void>
}

/** Makes the folder of finished images. */
export function createImageFolder(root: string): ImageFolder {
  let added = false
  return {
    async write(id, name, data) {
      const file = path.join(root, id, name)
      if (await holds(file, data)) {
        touch(path.join(root, id))
        return file
      }
      added = true
      await replaceFile(file, data).catch((error: unknown) => {
        throw refused(root, error)
      })
      return file
    },
    async sweep(maxSize) {
      if (!added) return
      added = false
      await sweepLeastUsed(await list(root), maxSize)
    },
  }
}

/** Finished images of a session as files. `Session` documents the functions. */
export interface ImageFiles {
  writeToFile(image: FinishedImage): Promise<string>
  sourceOf(written: string): string | undefined
  /** Keeps the folder below the bound of the cache. */
  sweep(): Promise<void>
}

/** Makes the files of a session. */
export function createImageFiles({ root, workDir, cache }: ResolvedOptions): ImageFiles {
  const folder = createImageFolder(path.join(workDir, 'files'))
  const sources = new Map<string, string>()
  return {
    async writeToFile({ planned: { id, file }, name, data }) {
      const place = path.join(mirroredFolder(relativePath(root, path.dirname(file))), name)
      const written = await folder.write(id, place, data)
      sources.set(written, file)
      return written
    },
    sourceOf: (written) => sources.get(path.normalize(written)),
    sweep: () => folder.sweep(cache.maxSize ?? 1024 ** 3),
  }
}

function refused(root: string, error: unknown): PixpressError {
  const reason = error instanceof Error ? error.message : String(error)
  return new PixpressError('IO_FAILED', `The folder of finished images '${root}' cannot be written: ${reason}`, {
    cause: error,
  })
}

/** A file that already holds these bytes is left alone, so that a bundler that watches it sees no change. */
async function holds(file: string, data: Uint8Array): Promise<boolean> {
  try {
    return await lookAtFile(file, (present) => Buffer.compare(present, data) === 0)
  } catch {
    // It is not there, or not for us to read.
    return false
  }
}

async function list(root: string): Promise<Entry[]> {
  const ids = await readdir(root).catch(() => [])
  return Promise.all(
    ids.map(async (id) => {
      const folder = path.join(root, id)
      const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      const sizes = files.filter((file) => file.isFile()).map((file) => sizeOf(path.join(file.parentPath, file.name)))
      return { place: folder, size: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
    }),
  )
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )
