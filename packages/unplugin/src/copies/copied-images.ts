import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { availableCpus, lookAtFile } from '@pixpress/core/internal'
import { diskFiles } from '../base/files.ts'
import type { Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { replaceCopy } from './replace-copy.ts'

/**
 * Compresses in place, in their own type, the images that a bundler has copied as they are.
 * @param publicDir absolute path of the folder that was copied; that there is none is no error
 * @param outDir absolute path of the folder that holds the copies
 */
export async function compressCopies(session: Session, publicDir: string, outDir: string, warn: Warn): Promise<void> {
  session.expectCopies(publicDir, outDir)
  // A folder that is built where it lies has no copies.
  if (path.relative(publicDir, outDir) === '') return
  const images = await copiedImages(session, publicDir)
  // One list for several workers, as reading all images of a large folder at once would take its whole size in memory.
  const queue = images.values()
  const start = path.normalize(publicDir).length
  const work = async (): Promise<void> => {
    for (const file of queue) await compressCopy(session, file, path.join(outDir, file.slice(start)), warn)
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
}

/** The images of a folder that is copied as it is, sorted; absolute paths. */
export async function copiedImages(session: Pick<Session, 'matches'>, publicDir: string): Promise<string[]> {
  return (await filesOf(publicDir)).filter((file) => session.matches(file)).sort()
}

async function compressCopy(session: Session, file: string, copy: string, warn: Warn): Promise<void> {
  const source = await diskFiles.readFile(file)
  // Something else was written over it, or an earlier output of the same build has been here.
  if (!(await holds(copy, source))) return
  const { data } = await session.finish(session.planBytes(file, source, 'public'), warn)
  // The copy of a read-only file is read-only, so a new file takes its place.
  if (data.length < source.length) await replaceCopy(copy, data)
}

/** Tells whether there is a file with these bytes. */
async function holds(file: string, bytes: Buffer): Promise<boolean> {
  try {
    return await lookAtFile(file, (present) => bytes.equals(present))
  } catch {
    // The bundler has left it out, or made a folder of its name.
    return false
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name))
}
