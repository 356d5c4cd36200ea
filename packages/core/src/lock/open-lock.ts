import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../cache/sha256.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { PixpressError, firstLine } from '../errors.ts'
import { replaceFile } from '../files/replace-file.ts'
import { systemErrorCode } from '../files/system-error.ts'
import type { OptimizeResult, Plan } from '../types.ts'
import { ENGINE_REVISION } from '../versions.ts'
import { lineId, parseLock, renderLock } from './lines.ts'
import type { LockLine } from './lines.ts'
import { shownOperations, slotOf } from './locked-operations.ts'

/** `pixpress.lock` of a project: which result each image has, and which engine made it. */
export interface Lock {
  /** Absolute path of the file. */
  readonly file: string
  /** What the file says, with what was noted and written since. */
  readonly lines: readonly LockLine[]
  /** The path of a source as lines have it: relative to the folder of the lock, with forward slashes. */
  nameOf(file: string): string
  /**
   * What the lock says of the same source with the same operations; `undefined`: nothing.
   * @param file absolute path of the source
   */
  lockedAs(file: string, plan: Plan): Locked | undefined
  /** Takes note of a result that is used. */
  note(file: string, plan: Plan, result: OptimizeResult): void
  /** Takes note of a line of `lines` that holds. */
  hold(line: LockLine): void
  /**
   * Writes what was noted over what the file says by then, if that changes anything or there is no file. Lines of sources that are gone or have
   * other contents leave, and those of a noted picture at a quality or effort that was not asked for again.
   * @throws PixpressError `LOCK_INVALID`
   */
  write(): Promise<void>
}

/** What a lock says of a plan. */
export interface Locked {
  /** Whether it has a final result, so that no draft may take its place. */
  readonly isFinal: boolean
  /** Key of the final result of an earlier engine, which stays valid until `pixpress upgrade`. */
  readonly pinned?: string
  /** Key of a draft. */
  readonly draft?: string
}

export interface LockSettings {
  /** Absolute path. */
  readonly file: string
  /** Whether images of this type are made by a service, whose results the engine's revision says nothing of. Default: none. */
  readonly isByService?: (type: Plan['type']) => boolean
  /** Told in one plain sentence what is wrong that does not stop the work. */
  readonly onWarning: (message: string) => void
}

/** @throws PixpressError `LOCK_INVALID` */
export async function readLock({ file, isByService = () => false, onWarning }: LockSettings): Promise<Lock> {
  const folder = path.dirname(file)
  const shown = path.basename(file)
  const first = await readText(file)
  let lines = parseLock(first, shown)
  let isThere = first !== ''
  let bySource = grouped(lines)
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

  function lineOf(source: string, plan: Plan): LockLine | undefined {
    const own = bySource.get(source)
    if (own === undefined) return undefined
    const id = lineId({ source, operations: shownOperations(plan.operations) })
    return own.find((line) => lineId(line) === id)
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
      if (own.some(({ key, draft }) => key === plan.key && !draft)) return CURRENT
      const line = lineOf(nameOf(source), plan)
      if (line === undefined || line.engine === 'service' || line.sha256 !== sha256(plan.source)) return undefined
      return line.draft ? { isFinal: false, draft: line.key } : { isFinal: true, pinned: line.key }
    },
    note(image, plan, result) {
      const source = nameOf(image)
      const key = result.pinned ?? (result.draft ? result.key : plan.key)
      const { type, size: bytes } = result.info
      const same = bySource.get(source)?.find((line) => line.key === key && line.draft === result.draft)
      if (same?.bytes === bytes && same.type === type) return void seen.add(same)
      const id = lineId({ source, operations: shownOperations(plan.operations) })
      if (made.get(id)?.key === key) return
      const digest = sha256(plan.source)
      const former = lineOf(source, plan)
      if (former !== undefined && staysFor(former, digest, result)) {
        if (isNewer(former)) warnOfNewer(former.engine)
        seen.add(former)
        return
      }
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
      made.set(id, line)
    },
    hold(line) {
      seen.add(line)
    },
    async write() {
      // What is noted while this waits belongs to the next build.
      const noted = { seen: new Set(seen), made: new Map(made) }
      seen.clear()
      made.clear()
      // A build that another one follows at once, and nothing was asked of: what it did not see may be there nevertheless.
      if (isThere && noted.seen.size === 0 && noted.made.size === 0) return
      const unseen = lines.filter((line) => !noted.seen.has(line))
      const isUnchanged = noted.made.size === 0 && (unseen.length === 0 || !unseen.some(isStale(noted, folder)))
      if (isThere && isUnchanged) return
      await inTurn(file, async () => {
        const text = (await readText(file)).replaceAll('\r\n', '\n')
        const isLeaving = isStale(noted, folder)
        const staying = parseLock(text, shown).filter((line) => !isLeaving(line))
        const merged = new Map(staying.map((line) => [lineId(line), line]))
        for (const [id, line] of noted.made) merged.set(id, line)
        lines = [...merged.values()]
        bySource = grouped(lines)
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

/** The engine of a result that the cache has given for a line, which said something else of it. */
const pinnedEngine = (former: LockLine | undefined, { pinned }: OptimizeResult): LockLine['engine'] | undefined =>
  pinned === undefined ? undefined : former?.engine

/** Whether a line with the same operations is better left as it is. */
function staysFor(former: LockLine, digest: string, { kept }: OptimizeResult): boolean {
  // The one is of an engine that this one must not undo; the other of a file that was replaced by its own result.
  if (former.sha256 === digest) return isNewer(former)
  return former.result === digest && kept === 'input'
}

/** What a build has noted: lines that hold, and those to be written by their ids. */
interface Noted {
  readonly seen: ReadonlySet<LockLine>
  readonly made: ReadonlyMap<string, LockLine>
}

/** Makes the test of lines that no longer hold. */
function isStale({ seen, made }: Noted, folder: string): (line: LockLine) => boolean {
  const noted = [...seen, ...made.values()]
  const held = new Set(noted.map(lineId))
  const sources = new Set(noted.map(({ source }) => source))
  const contents = new Set(noted.map(contentOf))
  const pictures = new Set(noted.map(pictureOf))
  const exists = new Map<string, boolean>()
  return (line) => {
    const { source } = line
    if (held.has(lineId(line))) return false
    if (sources.has(source)) return !contents.has(contentOf(line)) || pictures.has(pictureOf(line))
    const known = exists.get(source) ?? existsSync(path.resolve(folder, source))
    exists.set(source, known)
    return !known
  }
}

const contentOf = ({ source, sha256: digest }: LockLine): string => `${source}\0${digest}`

const pictureOf = ({ source, operations }: LockLine): string => `${source}\0${slotOf(operations)}`

function grouped(lines: readonly LockLine[]): Map<string, LockLine[]> {
  const groups = new Map<string, LockLine[]>()
  for (const line of lines) {
    const group = groups.get(line.source)
    if (group === undefined) groups.set(line.source, [line])
    else group.push(line)
  }
  return groups
}

/** Empty for a lock that is not there yet. */
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
