import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import { availableCpus, replaceFile } from '@pixpress/core/internal'
import { isFile } from '../../base/files.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { FarmProject } from './project.ts'

/**
 * Copies the public folder into the output, with its images compressed. Farm's own copying comes after all hooks and
 * leaves alone whatever there is already (`copyPublicDirectory` in its index.ts).
 */
export async function copyPublicFolder({ session, publicDir, outDir }: FarmProject, warn: Warn): Promise<void> {
  const entries = await readdir(publicDir, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (entries === undefined) return
  session.expectCopies(publicDir, outDir)
  await cp(publicDir, outDir, { recursive: true })
  const images = entries
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => session.matches(file))
    .sort()
  // One list for several workers: all images at once would be in memory together.
  const queue = images.values()
  const work = async (): Promise<void> => {
    for (const file of queue) await compressCopy(session, file, path.join(outDir, path.relative(publicDir, file)), warn)
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
}

async function compressCopy(session: Session, file: string, copy: string, warn: Warn): Promise<void> {
  if (!(await isFile(session.files, file))) return
  const planned = await session.plan(file, 'public')
  const { data } = await session.finish(planned, warn)
  if (data.length >= planned.source.length) return
  // By way of a new file, for the copy of a read-only file is read-only.
  await replaceFile(copy, data)
}
