import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { digestOf } from '../base/digest.ts'
import { sha256 } from '../base/sha256.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { PixpressError, firstLine } from '../base/errors.ts'
import { replaceFile } from '../files/replace-file.ts'
import { systemErrorCode } from '../base/system-error.ts'
import { identity } from '../plan/plan.ts'
import { ENGINE_REVISION } from '../base/versions.ts'
import { lineId, parseLock, renderLine, renderLock } from './lines.ts'
import type { LockLine } from './lines.ts'
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
  /** The lock calls it with one plain sentence about a fault that does not stop the work. */
  readonly onWarning: (message: string) => void
}

/** @throws PixpressError `LOCK_INVALID` */
export async function readLock({ file, isByService = () => false, onWarning }: LockSettings): Promise<Lock> {
  const folder = path.dirname(file)
  const shown = path.basename(file)
  const first = await readText(file)
  let lines = parseLock(first, shown)
  let isThere = first !== ''
  let bySource = grouped(lines, ({ source }) => source)
  /** Lines of the file that hold for what was noted. */
  const seen = new Set<LockLine>()
  /** Lines that are to be written, by id. */
  const made = new Map<string, LockLine>()
  let warned = false

  const inside = folder + path.sep

  function nameOf(source: string): string {
    // The usual case without the cost of 'path.relative', which resolves both against the working folder.
    const isInside = source.startsWith(inside) && !UNRESOLVED.test(source)
    const name = isInside ? source.slice(inside.length) : path.relative(folder, source)
    return path.sep === '/' ? name : name.split(path.sep).join('/')
  }

  /** Finds the lines for a plan. There are several where a merge has kept the lines of both sides. */
  function linesFor(source: string, plan: Plan): LockLine[] {
    const own = bySource.get(source)
    if (own === undefined) return []
    const id = lineId({ source, operations: shownOperations(plan.operations) })
    return own.filter((line) => lineId(line) === id)
  }

  function warnOfNewer(engine: number): void {
    if (!warned) {
      onWarning(
        `${shown} has results of engine ${engine}, which is newer than this one (${ENGINE_REVISION}): update pixpress to make the same.`,
      )
    }
    warned = true
  }

  return {
    file,
    get lines() {
      return lines
    },
    nameOf,
    lockedAs(source, plan) {
      const own = bySource.get(nameOf(source))
      if (own === undefined || isByService(plan.type)) return undefined
      // The key says all: nothing needs to be compared, which every image of a warm build would wait for.
      if (own.some(({ key }) => key === plan.key)) return CURRENT
      const digest = digestOf(plan.source)
      const line = linesFor(nameOf(source), plan).find((each) => each.sha256 === digest)
      if (line === undefined || line.engine === 'service') return undefined
      if (isNewer(line)) warnOfNewer(line.engine)
      return line.draft === true || line.key === draftKey(plan)
        ? { isFinal: false, draft: line.key }
        : { isFinal: true, pinned: line.key }
    },
    note(image, plan, result) {
      const source = nameOf(image)
      const key = result.pinned ?? (result.draft ? result.key : plan.key)
      const digest = digestOf(plan.source)
      const present = linesFor(source, plan)
      const former =
        present.find((line) => line.key === key && !isNewer(line)) ??
        present.find((line) => line.key === key) ??
        present[0]
      const { type, size: bytes } = result.info
      const line: LockLine = {
        source,
        operations: shownOperations(plan.operations),
        type,
        bytes,
        ...(result.score !== undefined && { score: Math.round(result.score * 100) / 100 }),
        ...(result.draft && { draft: result.draft }),
        engine: isByService(plan.type) ? 'service' : (pinnedEngine(former, result) ?? ENGINE_REVISION),
        sha256: digest,
        result: result.data === plan.source ? digest : sha256(result.data),
        key,
      }
      // Every member is compared: an edit or a merge may have changed any of them.
      const text = renderLine(line)
      const same = present.find((each) => renderLine(each) === text)
      if (same !== undefined) return void seen.add(same)
      const id = lineId(line)
      if (made.get(id)?.key === key) return
      if (former !== undefined && former.key !== plan.key && staysFor(former, digest, result)) {
        if (isNewer(former)) warnOfNewer(former.engine)
        seen.add(former)
        return
      }
      made.set(id, line)
    },
    hold(line) {
      seen.add(line)
    },
    asked: () => [...seen, ...made.values()],
    async write(drops = () => false) {
      // Lines that are noted while this waits belong to the next build.
      const noted = { seen: new Set(seen), made: new Map(made), drops }
      seen.clear()
      made.clear()
      // A build that another one follows at once, and nothing was asked of: what it did not see may be there
      // nevertheless.
      if (isThere && noted.seen.size === 0 && noted.made.size === 0) return
      const unseen = lines.filter((line) => !noted.seen.has(line))
      const isUnchanged = noted.made.size === 0 && !hasDoubles(lines) && !unseen.some(isStale(noted, lines, folder))
      if (isThere && isUnchanged) return
      const before = lines
      await inTurn(file, async () => {
        const text = (await readText(file)).replaceAll('\r\n', '\n')
        const isLeaving = isStale(noted, before, folder)
        const staying = parseLock(text, shown).filter((line) => !isLeaving(line))
        const merged = new Map<string, LockLine>()
        for (const group of grouped(staying, lineId).values()) {
          const line = group.length > 1 ? await betterOf(group, folder) : group[0]!
          merged.set(lineId(line), line)
        }
        for (const [id, line] of noted.made) merged.set(id, line)
        lines = [...merged.values()]
        bySource = grouped(lines, ({ source }) => source)
        const rendered = renderLock(lines)
        isThere = true
        if (rendered === text) return
        await replaceFile(file, rendered).catch((error: unknown) =>
          onWarning(`${shown} cannot be written: ${firstLine(error)}.`),
        )
      })
    },
  }
}

const CURRENT: Locked = { isFinal: true }

/** A part of a path that is no plain name. */
const UNRESOLVED = /[\\/]\.{0,2}(?:[\\/]|$)/

const isNewer = (line: LockLine): line is LockLine & { engine: number } =>
  line.engine !== 'service' && line.engine > ENGINE_REVISION

/** Returns the engine of a result that the cache has given for a line, which said something else of it. */
const pinnedEngine = (former: LockLine | undefined, { pinned }: OptimizeResult): LockLine['engine'] | undefined =>
  pinned === undefined ? undefined : former?.engine

/** Tells whether a former line with the same operations stays. */
function staysFor(former: LockLine, digest: string, { kept }: OptimizeResult): boolean {
  // The one is of an engine that this one must not undo; the other of a file that was replaced by its own result.
  if (former.sha256 === digest) return isNewer(former)
  return former.result === digest && kept === 'input'
}

/**
 * Chooses among several lines for one result, none of which the build has seen: one of the source as it is now, of the
 * newest engine.
 */
async function betterOf(lines: readonly LockLine[], folder: string): Promise<LockLine> {
  const source = await readFile(path.resolve(folder, lines[0]!.source)).catch(() => undefined)
  const digest = source && sha256(source)
  const right = lines.filter((line) => line.sha256 === digest)
  return (right.length > 0 ? right : lines).reduce((best, line) => (engineOf(line) > engineOf(best) ? line : best))
}

const engineOf = ({ engine }: LockLine): number => (engine === 'service' ? 0 : engine)

function grouped(lines: readonly LockLine[], by: (line: LockLine) => string): Map<string, LockLine[]> {
  const groups = new Map<string, LockLine[]>()
  for (const line of lines) {
    const group = groups.get(by(line))
    if (group === undefined) groups.set(by(line), [line])
    else group.push(line)
  }
  return groups
}

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
