import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { link, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { firstLine, readWholeFile, replaceFile, systemFault } from '@pixpress/core/internal'
import type { Destination, ListedImage, Missing, ReadImage, Source, StoredObject } from './contract.ts'
import { assertSafeKey, imageTooLarge } from './image-checks.ts'

/** Folders that hold nothing of a person's images. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', '.pixpress-batch'])

/** Refusals that every other file would meet as well. */
const OF_THE_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** File systems without a second name for a file answer so. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** The images of a folder. @param isTaken decides by keys */
export function createFolderSource(root: string, isTaken: (key: string) => boolean): Source {
  return {
    name: root,
    async *list() {
      for await (const key of filesBelow(root, '')) {
        if (!isTaken(key)) continue
        const seen = await stat(path.join(root, key)).catch(() => undefined)
        if (seen?.isFile() === true) yield { key, size: seen.size, version: String(seen.mtimeMs) }
      }
    },
    read: (image, most) => readImageFile(path.join(root, image.key), image, most),
  }
}

/** Reads a file that is still as it was listed. @throws PixpressError */
export async function readImageFile(
  file: string,
  { key, size, version }: ListedImage,
  most: number,
): Promise<ReadImage | Missing> {
  try {
    const before = await stat(file)
    const isAnother = (each: typeof before): boolean =>
      (version !== undefined && String(each.mtimeMs) !== version) || (size !== undefined && each.size !== size)
    if (isAnother(before)) return 'changed'
    if (before.size > most) throw imageTooLarge(key, most)
    const { bytes } = await readWholeFile(file)
    const after = await stat(file)
    if (after.mtimeMs !== before.mtimeMs || after.size !== before.size) return 'changed'
    return { bytes, version: String(after.mtimeMs) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone'
    throw ioFailed('cannot be read', key, error)
  }
}

/** A folder for results. */
export function createFolderDestination(root: string): Destination {
  const fileOf = (key: string): string => {
    assertSafeKey(key)
    return path.join(root, key)
  }
  const get = async (key: string, most?: number): Promise<Uint8Array | undefined> => {
    try {
      return most === undefined ? await readFile(fileOf(key)) : await readStart(fileOf(key), most)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw ioFailed('cannot be read', key, error)
    }
  }
  return {
    name: root,
    get,
    async create(key, { bytes }) {
      return createFile(fileOf(key), bytes).catch((error: unknown) => {
        throw ioFailed('cannot be written', key, error)
      })
    },
    async replace(key, { bytes }: StoredObject) {
      await replaceFile(fileOf(key), bytes, { durable: true }).catch((error: unknown) => {
        throw ioFailed('cannot be written', key, error)
      })
    },
    async holds(key, bytes) {
      const present = await get(key)
      return present !== undefined && Buffer.compare(present, bytes) === 0
    },
    keys: (folder) => filesBelow(root, folder),
  }
}

/**
 * Lists the files below a folder, sorted in each folder. Links to folders are not followed.
 * @param folder key that is empty or ends with a slash
 */
async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(root, folder)) {
    const key = folder + entry.name
    if (entry.isDirectory()) {
      if (!FOREIGN.has(entry.name)) yield* filesBelow(root, `${key}/`)
    } else if (!entry.name.endsWith('.tmp')) yield key
  }
}

async function entriesOf(root: string, folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    // A folder of results or records is there as soon as there is something in it.
    if (codeOf(error) === 'ENOENT') return []
    throw ioFailed('cannot be listed', folder === '' ? root : folder, error)
  }
}

/**
 * Creates a file whole or not at all. A name is given to it when all of it is on the disk: who reads that name, after a
 * crash at any moment, sees the whole file or none.
 */
async function createFile(file: string, bytes: Uint8Array): Promise<'created' | 'present'> {
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  await mkdir(path.dirname(file), { recursive: true })
  try {
    await writeFile(temporary, bytes, { flag: 'wx', flush: true })
    await link(temporary, file)
    return 'created'
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'present'
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error
    if ((await stat(file).catch(() => undefined)) !== undefined) return 'present'
    await rename(temporary, file)
    return 'created'
  } finally {
    await rm(temporary, { force: true })
  }
}

async function readStart(file: string, most: number): Promise<Uint8Array> {
  const opened = await open(file)
  try {
    const start = Buffer.alloc(most)
    const { bytesRead } = await opened.read(start, 0, most, 0)
    return start.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? ''

function ioFailed(what: string, key: string, error: unknown): PixpressError {
  if (error instanceof PixpressError) return error
  const fault = systemFault(error, key)
  const message = `The file ${what}${fault === undefined ? `: ${firstLine(error)}` : `. ${fault.what}`}.`
  const code = OF_THE_DISK.has(codeOf(error)) ? 'MACHINE_UNFIT' : 'IO_FAILED'
  return new PixpressError(code, message, { file: key, cause: error })
}
