import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sha256 } from '../base/sha256.ts'
import { projectFolder } from '../project/folder.ts'
import { invalidOption } from '../base/errors.ts'
import type { ProjectOptions } from '../project/options/index.ts'
import { ENGINE_REVISION } from '../base/versions.ts'
import { formatsIn } from './header.ts'
import type { LockedFormats } from './header.ts'
import type { LockLine } from './lines.ts'
import type { Lock, LockSettings } from './open-lock.ts'
import type { Plan } from '../plan/plan.ts'

export type { LockedFormats } from './header.ts'
export type { LockLine } from './lines.ts'
export type { Lock, LockSettings, Locked } from './open-lock.ts'

/** Its name at the root of a project, where no other is given. */
export const LOCK_NAME = 'pixpress.lock'

/**
 * Returns the lock that a project's options ask for, as an absolute path; `undefined`: none is kept.
 * @param root absolute folder that a given path is relative to
 * @throws PixpressError `INVALID_OPTION` without one where drafts are asked for: nothing else says which they are
 */
export function lockFile(
  { lock: given, firstBuild }: Pick<ProjectOptions, 'lock' | 'firstBuild'>,
  root: string,
): string | undefined {
  const lock = given ?? (firstBuild === undefined ? undefined : true)
  if (lock === false) {
    if (firstBuild === undefined) return undefined
    throw invalidOption('lock', "true or a path beside 'firstBuild'", lock)
  }
  if (typeof lock === 'string') return path.resolve(root, lock)
  const file = path.join(projectFolder(root) ?? root, LOCK_NAME)
  return lock === true || existsSync(file) ? file : undefined
}

/**
 * Reads the formats that a lock has for `convert: 'auto'`, before it is opened; `undefined` if it has none.
 * @param file absolute path of the lock
 */
export function readLockedFormats(file: string | undefined): LockedFormats | undefined {
  if (file === undefined || !existsSync(file)) return undefined
  try {
    return formatsIn(readFileSync(file, 'utf8').split('\n', 1)[0]!)
  } catch {
    // Opening the lock reports the error.
    return undefined
  }
}

/**
 * Reads a lock, which need not be there. The reader is loaded here: projects without a lock never load it.
 * @throws PixpressError `LOCK_INVALID`
 */
export async function openLock(settings: LockSettings): Promise<Lock> {
  const { readLock } = await import('./open-lock.ts')
  return readLock(settings)
}

/**
 * Parses the lines of a lock by its text, which need not be that of a file.
 * @param file named in errors
 * @throws PixpressError `LOCK_INVALID`
 */
export async function readLockText(text: string, file: string): Promise<readonly LockLine[]> {
  const { parseLock } = await import('./lines.ts')
  return parseLock(text, file)
}

/**
 * Returns a text that stays equal as long as the lock gives the same results which this engine at full effort would
 * not: those of older engines, and drafts. Bundlers that keep their own results of an image compare it. Empty where
 * there are none.
 * @param file absolute path of the lock
 */
export function exceptionsOf(file: string | undefined): string {
  if (file === undefined || !existsSync(file)) return ''
  // A service's results have keys of their own.
  const usual = [`"engine":${ENGINE_REVISION},`, '"engine":"service",']
  const rows = readFileSync(file, 'utf8').split(/\r?\n/).slice(1)
  const others = rows.filter(
    (row) => row !== '' && (row.includes('"draft":true') || !usual.some((part) => row.includes(part))),
  )
  return others.length === 0 ? '' : sha256(Buffer.from(others.join('\n')))
}

/** Notes what a build has asked for, and tells what it alone has asked for before: see `asked-lines.ts`. */
export async function noteAskedLines(
  folder: string,
  build: string,
  asked: readonly LockLine[],
): Promise<(line: LockLine) => boolean> {
  const { ASKED_NAME, noteAsked } = await import('./asked-lines.ts')
  return noteAsked(path.join(folder, ASKED_NAME), build, asked)
}

/** The work of a line as this engine would do it: see `locked-operations.ts`. */
export async function planLine(line: LockLine, source: Uint8Array): Promise<Plan | undefined> {
  const { planOfLine } = await import('./locked-operations.ts')
  return planOfLine(line, source)
}
