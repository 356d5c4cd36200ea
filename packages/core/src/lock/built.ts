import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '../files/replace-file.ts'
import type { Lock, LockSettings } from './open-lock.ts'

/** Holds lines of what builds have shipped, in the folder of the cache. They decide nothing, as a lock does. */
const RECORD_NAME = 'built.lock'
/** Holds when the last whole build of each project began. */
const WHOLE_NAME = 'whole-builds.json'

/** The last whole build of a project. */
export interface WholeBuild {
  /** Milliseconds since 1970. */
  readonly began: number
  /** `true` if the lock of the project has the lines, and not the record. */
  readonly isLocked: boolean
  /** Sources that it shipped unchanged, relative to the folder of the cache: they have no line. */
  readonly unchanged: readonly string[]
}

/** Opens the record of a cache folder. A damaged one is deleted, as the next build writes it again. */
export async function openBuilt(folder: string, isByService?: LockSettings['isByService']): Promise<Lock> {
  const file = path.join(folder, RECORD_NAME)
  const settings = { file, ...(isByService && { isByService }), onWarning: () => undefined }
  const { readLock } = await import('./open-lock.ts')
  try {
    return await readLock(settings)
  } catch {
    await rm(file, { force: true })
    return readLock(settings)
  }
}

/** Notes that a build which asks for everything that its project ships has ended. @param project absolute folder */
export async function noteWhole(
  folder: string,
  project: string,
  { unchanged, ...build }: Omit<WholeBuild, 'unchanged'> & { readonly unchanged: Iterable<string> },
): Promise<void> {
  const file = path.join(folder, WHOLE_NAME)
  const names = [...unchanged].map((each) => nameIn(folder, each)).toSorted()
  const all = { ...(await readWhole(folder)), [nameIn(folder, project)]: { ...build, unchanged: names } }
  await replaceFile(file, JSON.stringify(all)).catch(() => undefined)
}

/** Reads the last whole builds by the folders of their projects, relative to that of the cache. */
export async function readWhole(folder: string): Promise<Readonly<Record<string, WholeBuild>>> {
  try {
    const all = JSON.parse(await readFile(path.join(folder, WHOLE_NAME), 'utf8')) as Record<string, WholeBuild>
    return Object.values(all).every(isWholeBuild) ? all : {}
  } catch {
    return {}
  }
}

/** A path as the records have it: relative to their folder, which moves along with the project. */
export const nameIn = (folder: string, file: string): string => path.relative(folder, file).split(path.sep).join('/')

const isWholeBuild = (value: unknown): boolean => {
  const { began, isLocked, unchanged } = (value ?? {}) as Partial<Record<keyof WholeBuild, unknown>>
  return typeof began === 'number' && typeof isLocked === 'boolean' && Array.isArray(unchanged)
}
