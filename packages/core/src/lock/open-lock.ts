import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { digestOf } from '../base/digest.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { PixpressError, firstLine } from '../base/errors.ts'
import { replaceFile } from '../files/replace-file.ts'
import { systemErrorCode } from '../base/system-error.ts'
import { identity } from '../plan/plan.ts'
import { ENGINE_REVISION } from '../base/versions.ts'
import { formatsIn, renderHeader } from './header.ts'
import type { LockedFormats } from './header.ts'
import { isNewer, lineOf, staysFor } from './line-of-result.ts'
import { isUrl, lineId, parseLock, renderLine, renderLock } from './lines.ts'
import type { LockLine } from './lines.ts'
import { grouped, mergeLines } from './merge-lines.ts'
import { shownOperations } from './locked-operations.ts'
import { hasDoubles, isStale } from './stale-lines.ts'
import type { OptimizeResult } from '../optimizer/result.ts'
import type { Plan } from '../plan/plan.ts'

/** `pixpress.lock` of a project: which result each image has, and which engine made it. */
export interface Lock {
  /** Absolute path of the file. */
  readonly file: string
  /** The lines of the file, with those noted and written since. */
  readonly lines: readonly LockLine[]
  /** Returns the path of a source as lines have it: relative to the folder of the lock, with forward slashes. */
  nameOf(file: string): string
  /**
   * Returns the lock's entry for the same source with the same operations; `undefined` where it has none.
   * @param file absolute path of the source
   */
  lockedAs(file: string, plan: Plan): Locked | undefined
  /** Takes note of a result that is used. */
  note(file: string, plan: Plan, result: OptimizeResult): void
  /** Takes note of a line of `lines` that holds. */
  hold(line: LockLine): void
  /**
   * Writes what was noted over what the file says by then, if that changes anything or there is no file. Lines of
   * sources that are gone or have other contents leave, and those of a noted picture at a quality or effort that was
   * not asked for again.
   * @param drops whether a line that was not noted leaves, of a source of which another was. Default: none, as another
   * build may need it
   * @throws PixpressError `LOCK_INVALID`
   */
  write(drops?: (line: LockLine) => boolean): Promise<void>
  /** Returns the lines that were noted since the last write. */
  asked(): readonly LockLine[]
}

/** The lock's entry for a plan. */
export interface Locked {
  /** The entry has a final result, so that no draft may take its place. */
  readonly isFinal: boolean
  /** Key of the final result of an earlier engine, which stays valid until `pixpress upgrade`. */
  readonly pinned?: string
  /** Key of a draft. */
  readonly draft?: string
}

/** Settings of a lock. */
export interface LockSettings {
  /** Absolute path. */
  readonly file: string
  /**
   * Tells whether a service makes images of this type: the engine's revision says nothing of its results. Default:
   * none.
   */
  readonly isByService?: (type: Plan['type']) => boolean
  /** The formats of `convert: 'auto'` that the next write notes. Default: those of the file. */
  readonly formats?: LockedFormats
  /** The lock calls it with one plain sentence about a fault that does not stop the work. */
  readonly onWarning: (message: string) => void
}

/** The state of an open lock. */
interface OpenLock extends Required<Omit<LockSettings, 'formats'>> {
  readonly formats: LockedFormats | undefined
  /** The first line is to be written. */
  isHeaderDue: boolean
  readonly folder: string
  /** The name of the file in messages. */
  readonly shown: string
  lines: readonly LockLine[]
  bySource: ReadonlyMap<string, readonly LockLine[]>
  isThere: boolean
  /** Lines of the file that hold for what was noted. */
  readonly seen: Set<LockLine>
  /** Lines that are to be written, by id. */
  readonly made: Map<string, LockLine>
  hasWarned: boolean
}

/** @throws PixpressError `LOCK_INVALID` */
export async function readLock({ file, isByService = () => false, formats, onWarning }: LockSettings): Promise<Lock> {
  const [folder, shown] = [path.dirname(file), path.basename(file)]
  const text = await readText(file)
  const lines = parseLock(text, shown)
  const lock: OpenLock = {
    file,
    isByService,
    formats,
    isHeaderDue: formats !== undefined && renderHeader(formats) !== renderHeader(formatsIn(firstRow(text))),
    onWarning,
    folder,
    shown,
    lines,
    bySource: grouped(lines, ({ source }) => source),
    isThere: text !== '',
    seen: new Set(),
    made: new Map(),
    hasWarned: false,
  }
  return {
    file,
    get lines() {
      return lock.lines
    },
    nameOf: (source) => nameOf(folder, source),
    lockedAs: (source, plan) => lockedAs(lock, nameOf(folder, source), plan),
    note: (image, plan, result) => note(lock, nameOf(folder, image), plan, result),
    hold: (line) => void lock.seen.add(line),
    asked: () => [...lock.seen, ...lock.made.values()],
    write: (drops = () => false) => write(lock, drops),
  }
}

function nameOf(folder: string, source: string): string {
  if (isUrl(source)) return source
  // The usual case without the cost of 'path.relative', which resolves both against the working folder.
  const inside = folder + path.sep
  const isInside = source.startsWith(inside) && !UNRESOLVED.test(source)
  const name = isInside ? source.slice(inside.length) : path.relative(folder, source)
  return path.sep === '/' ? name : name.split(path.sep).join('/')
}

function lockedAs(lock: OpenLock, source: string, plan: Plan): Locked | undefined {
  const own = lock.bySource.get(source)
  if (own === undefined || lock.isByService(plan.type)) return undefined
  // The key says all: nothing needs to be compared, which every image of a warm build would wait for.
  if (own.some(({ key }) => key === plan.key)) return CURRENT
  const digest = digestOf(plan.source)
  const line = linesFor(lock, source, plan).find((each) => each.sha256 === digest)
  if (line === undefined || line.engine === 'service') return undefined
  if (isNewer(line)) warnOfNewer(lock, line.engine)
  return line.draft === true || line.key === draftKey(plan)
    ? { isFinal: false, draft: line.key }
    : { isFinal: true, pinned: line.key }
}

/** Finds the lines for a plan. There are several where a merge has kept the lines of both sides. */
function linesFor({ bySource }: OpenLock, source: string, plan: Plan): LockLine[] {
  const own = bySource.get(source)
  if (own === undefined) return []
  const id = lineId({ source, operations: shownOperations(plan.operations) })
  return own.filter((line) => lineId(line) === id)
}

function warnOfNewer(lock: OpenLock, engine: number): void {
  if (!lock.hasWarned) {
    lock.onWarning(
      `${lock.shown} has results of engine ${engine}, which is newer than this one (${ENGINE_REVISION}): update pixpress to make the same.`,
    )
  }
  lock.hasWarned = true
}

function note(lock: OpenLock, source: string, plan: Plan, result: OptimizeResult): void {
  const { seen, made } = lock
  const present = linesFor(lock, source, plan)
  const { line, former } = lineOf(present, { source, plan, result, isByService: lock.isByService(plan.type) })
  // Every member is compared: an edit or a merge may have changed any of them.
  const text = renderLine(line)
  const same = present.find((each) => renderLine(each) === text)
  if (same !== undefined) return void seen.add(same)
  const id = lineId(line)
  if (made.get(id)?.key === line.key) return
  if (former !== undefined && former.key !== plan.key && staysFor(former, line.sha256, result)) {
    if (isNewer(former)) warnOfNewer(lock, former.engine)
    seen.add(former)
    return
  }
  made.set(id, line)
}

async function write(lock: OpenLock, drops: (line: LockLine) => boolean): Promise<void> {
  const { folder, lines } = lock
  // Lines that are noted while this waits belong to the next build.
  const noted = { seen: new Set(lock.seen), made: new Map(lock.made), drops }
  lock.seen.clear()
  lock.made.clear()
  // A build that another one follows at once, and nothing was asked of: what it did not see may be there
  // nevertheless.
  if (lock.isThere && noted.seen.size === 0 && noted.made.size === 0) return
  const unseen = lines.filter((line) => !noted.seen.has(line))
  const isUnchanged =
    !lock.isHeaderDue && noted.made.size === 0 && !hasDoubles(lines) && !unseen.some(isStale(noted, lines, folder))
  if (lock.isThere && isUnchanged) return
  await inTurn(lock.file, async () => {
    const text = (await readText(lock.file)).replaceAll('\r\n', '\n')
    const isLeaving = isStale(noted, lines, folder)
    const staying = parseLock(text, lock.shown).filter((line) => !isLeaving(line))
    lock.lines = await mergeLines(staying, noted.made, folder)
    lock.bySource = grouped(lock.lines, ({ source }) => source)
    const rendered = renderLock(lock.lines, lock.formats ?? formatsIn(firstRow(text)))
    lock.isThere = true
    lock.isHeaderDue = false
    if (rendered === text) return
    await replaceFile(lock.file, rendered).catch((error: unknown) =>
      lock.onWarning(`${lock.shown} cannot be written: ${firstLine(error)}.`),
    )
  })
}

const firstRow = (text: string): string => text.slice(0, text.search(/\r?\n|$/))

const CURRENT: Locked = { isFinal: true }

/** A part of a path that is no plain name. */
const UNRESOLVED = /[\\/]\.{0,2}(?:[\\/]|$)/

/** Returns the key of a plan's draft: a line that has it is one, whatever else it says. */
const draftKey = ({ source, operations }: Plan): string => identity(source, { ...operations, effort: 'fast' })

/** Reads a text; empty for a lock that is not there yet. */
async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return ''
    throw new PixpressError('LOCK_INVALID', `${path.basename(file)} cannot be read: ${firstLine(error)}.`, {
      cause: error,
    })
  }
}
