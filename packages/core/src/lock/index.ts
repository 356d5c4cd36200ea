import { existsSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '../cache/project-folder.ts'
import type { Plan } from '../types.ts'
import type { LockLine } from './lines.ts'
import type { Lock, LockSettings } from './open-lock.ts'

export type { LockLine } from './lines.ts'
export type { Lock, LockSettings } from './open-lock.ts'

/** Its name at the root of a project, where no other is given. */
export const LOCK_NAME = 'pixpress.lock'

/**
 * The lock that a project's option `lock` asks for, as an absolute path; `undefined`: none is kept.
 * @param root absolute folder that a given path is relative to
 */
export function lockFile(lock: boolean | string | undefined, root: string): string | undefined {
  if (lock === false) return undefined
  if (typeof lock === 'string') return path.resolve(root, lock)
  const file = path.join(projectFolder(root) ?? root, LOCK_NAME)
  return lock === true || existsSync(file) ? file : undefined
}

/**
 * Reads a lock, which need not be there. What reads it is loaded here: projects without one never do.
 * @throws PixpressError `LOCK_INVALID`
 */
export async function openLock(settings: LockSettings): Promise<Lock> {
  const { readLock } = await import('./open-lock.ts')
  return readLock(settings)
}

/** The work of a line as this engine would do it: see `locked-operations.ts`. */
export async function planLine(line: LockLine, source: Uint8Array): Promise<Plan | undefined> {
  const { planOfLine } = await import('./locked-operations.ts')
  return planOfLine(line, source)
}
