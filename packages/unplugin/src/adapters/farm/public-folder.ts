import { cp, readdir, writeFile, chmod } from 'node:fs/promises'
import path from 'node:path'
import { isFile } from '../../core/is-file.ts'
import type { Warn } from '../../core/session.ts'
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
  await cp(publicDir, outDir, { recursive: true })
  const images = entries
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => session.matches(file))
    .sort()
  for (const file of images) {
    if (!(await isFile(file))) continue
    const planned = await session.plan(file, 'public')
    const { data } = await session.finish(planned, warn)
    if (data.length >= planned.source.length) continue
    const copy = path.join(outDir, path.relative(publicDir, file))
    // The copy of a read-only file is read-only.
    await chmod(copy, 0o644)
    await writeFile(copy, data)
  }
}
