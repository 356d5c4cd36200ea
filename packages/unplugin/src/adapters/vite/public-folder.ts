import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { availableCpus, replaceFile } from '@pixpress/core'
import type { Plugin } from 'vite'
import { isFile } from '../../core/is-file.ts'
import type { Session, Warn } from '../../core/session.ts'
import type { ProjectHolder } from './project.ts'

/** Images of `public/`, which Vite copies as they are: compressed in each output folder that received them. */
export function publicFolder(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:public',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config: { publicDir, build } }) =>
      holder.current.session.options.publicDir && build.copyPublicDir && publicDir !== '' && existsSync(publicDir),
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        const { session } = holder.current
        const { root, publicDir, build } = this.environment.config
        const warn: Warn = (message) => this.warn(message)
        await compressCopies(session, publicDir, path.resolve(root, dir ?? build.outDir), warn)
      },
    },
  }
}

async function compressCopies(session: Session, publicDir: string, outDir: string, warn: Warn): Promise<void> {
  const images = (await filesOf(publicDir)).filter((file) => session.matches(file))
  // One list for several workers, as reading all images of a large folder at once would take its whole size in memory.
  const queue = images.sort().values()
  const work = async (): Promise<void> => {
    for (const file of queue) await compressCopy(session, file, path.join(outDir, path.relative(publicDir, file)), warn)
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
}

async function compressCopy(session: Session, file: string, copy: string, warn: Warn): Promise<void> {
  if (path.relative(file, copy) === '' || !(await isFile(copy))) return
  const source = await readFile(file)
  // Something else was written over it, or an earlier output of the same build has been here.
  if (!source.equals(await readFile(copy))) return
  const { data } = await session.finish(session.planBytes(file, source, 'public'), warn)
  // By way of a new file, for the copy of a read-only file is read-only.
  if (data.length < source.length) await replaceFile(copy, data)
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name))
}
