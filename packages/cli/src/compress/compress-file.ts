import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { firstLine, payloadsInPlace, promiseOf, readWholeFile, replaceFile, systemFault } from '@pixpress/core/internal'
import type { OptimizeResult, Optimizer } from '@pixpress/core'
import type { ImageStore, Lock, PayloadsInPlace } from '@pixpress/core/internal'
import type { Backup } from '../backup/create-backup.ts'
import type { EarlierResults } from './earlier-results.ts'
import type { FileOperations, OperationsOf } from './file-operations.ts'
import type { InputFile } from './inputs.ts'
import { assertMayReplace } from './promise.ts'
import type { TargetOf } from './targets.ts'

/** Settings of the work on one file. */
export interface FileTask {
  readonly optimizer: Optimizer
  readonly operations: OperationsOf
  readonly targetOf: TargetOf
  /** Where results are put as well. */
  readonly store: ImageStore | undefined
  /** Where it is noted which result each file has; `undefined`: nowhere. */
  readonly lock: Lock | undefined
  readonly dryRun: boolean
  /** True if results stand beside their sources or take their place, as there is no folder for them. */
  readonly inPlace: boolean
  /** True if the run only finds out what results would be, so that none of them has to be fit to be written. */
  readonly isTrial?: true
  readonly overwrite: boolean
  readonly earlier: EarlierResults
  /** Lossy results of earlier runs are encoded again in their place. */
  readonly force: boolean
  /** Files that are written have the times of their sources. */
  readonly preserveTimes: boolean
  /** Share of its bytes that an image has to lose before it is written, from 0 to 1. */
  readonly minSaving: number
  /** Where files that are replaced are kept, those of a folder of results too. */
  readonly backup: Backup | undefined
  /** Where sources that are replaced are kept in place of that. */
  readonly originals: Backup | undefined
  /** Begins to write, which the end of the process waits for, or never does: the process is about to end. */
  readonly writing: (write: () => Promise<void>) => Promise<void>
}

/** Outcome of the work on one file. */
export interface FileOutcome {
  readonly result: OptimizeResult
  /** The score that it was to keep; `undefined` where settings of its encoder were given in place of one. */
  readonly promise: number | undefined
  /** Contents of the file that it was made from. */
  readonly source: Uint8Array
  /** The file that holds the result, absolute; with `dryRun` the one that would. */
  readonly output: string
  /** True if the file does not hold the result yet. */
  readonly due: boolean
  /** True if it is a lossy result of an earlier run, which would lose detail a second time. */
  readonly losesTwice: boolean
  /** True if it was written now. */
  readonly written: boolean
  /** One plain sentence each, beside the result's own. */
  readonly warnings: readonly string[]
  /** URL of the result in the store; `undefined` where there is none. */
  readonly url: string | undefined
}

/**
 * One file from reading to writing.
 * @param shown its name in errors
 * @throws PixpressError; nothing has been written then
 */
export async function compressFile(input: InputFile, shown: string, task: FileTask): Promise<FileOutcome> {
  const { bytes, modified } = await readWholeFile(input.file).catch((error: unknown) => {
    throw ioFailed('cannot be read', shown, error)
  })
  const given = task.operations(input.file, input.variant?.width)
  const payloads = task.inPlace ? await payloadsInPlace(bytes) : undefined
  const asked = payloads?.isExact === true ? { ...given, operations: { ...given.operations, lossless: true } } : given
  const plan = task.optimizer.plan(bytes, asked.operations, { file: shown })
  const made = await task.optimizer.materialize(plan, { pinned: task.lock?.lockedAs(input.file, plan)?.pinned })
  const whole = payloads === undefined ? made : withPayloads(made, bytes, payloads)
  const savesEnough = task.minSaving === 0 || whole.data.length <= bytes.length * (1 - task.minSaving)
  const result = savesEnough ? whole : asItIs(whole, bytes)
  const target = task.targetOf(input, result.input.type, result.info.type)
  if (target === input.file && asked.operations.adjust !== undefined) {
    const message = 'In place, every further run would adjust the picture again: give --out.'
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file: shown })
  }
  const replacesSource = target === input.file || (await replacesAnother(target, task))
  if (replacesSource && task.isTrial !== true) assertMayReplace(result, plan, shown)
  const due = target === input.file ? result.data.length < bytes.length : await differs(target, result, shown, task)
  const warnings = due ? await secondLoss({ bytes, result, asked, shown, isReplaced: target === input.file }, task) : []
  const url = task.dryRun
    ? undefined
    : await task.store?.put({ data: result.data, type: result.info.type, name: path.basename(target), source: shown })
  const written = due && !task.dryRun
  if (written) {
    if (target === input.file) await assertUnchanged(input.file, { modified, size: bytes.length }, shown)
    await assertWritable(target, shown)
    await task
      .writing(async () => {
        await (task.backup ?? (replacesSource ? task.originals : undefined))?.keep(target, result.data)
        await writeTo(target, input.file, result.data, task)
      })
      .catch((error: unknown) => {
        throw ioFailed('cannot be written', shown, error)
      })
    if (isLossy(result)) await task.earlier.note(result.data, asked.score)
  }
  if (!task.dryRun) task.lock?.note(input.file, plan, made)
  return {
    result,
    promise: promiseOf(result, plan.operations),
    source: bytes,
    output: target,
    due,
    losesTwice: warnings.length > 0,
    written,
    warnings,
    url,
  }
}

/** Returns the result with all payloads of its source, or the source where a result cannot have them. */
function withPayloads(made: OptimizeResult, bytes: Uint8Array, payloads: PayloadsInPlace): OptimizeResult {
  // A converted file stands beside its source, which keeps what it has.
  if (made.info.type !== made.input.type) return made
  const data = payloads.keep(made.data, made.info.type)
  const names = payloads.names.map((name) => `its ${name}`).join(' and ')
  const notes = made.notes.filter((note) => !payloads.losses.includes(note))
  if (data !== undefined && data.length < bytes.length) {
    return { ...made, data, info: { ...made.info, size: data.length }, notes: [...notes, `Keeps ${names}.`] }
  }
  const { score: _, refused: __, reason = 'smallest', ...kept } = made
  const left = { ...kept, data: bytes, info: { ...made.input }, kept: 'input' as const }
  if (data !== undefined) return { ...left, reason, notes }
  return { ...left, reason: 'unsupported', notes: [`Left alone, as only the whole file keeps ${names}.`] }
}

/** The result of leaving the file alone, which saves too little. */
function asItIs(result: OptimizeResult, bytes: Uint8Array): OptimizeResult {
  const { score: _, refused: __, ...made } = result
  return {
    ...made,
    data: bytes,
    info: { ...made.input },
    kept: 'input',
    // A result that is no smaller saves nothing, so nothing was declined.
    ...(result.data.length < bytes.length && { reason: 'little', declined: result.data.length }),
  }
}

const isLossy = ({ kept, score = 100 }: OptimizeResult): boolean => kept === 'output' && score < 100

interface ResultOfFile {
  readonly bytes: Uint8Array
  readonly result: OptimizeResult
  readonly asked: FileOperations
  /** The file's name for messages. */
  readonly shown: string
  /** True if the result takes the place of the file. */
  readonly isReplaced: boolean
}

/**
 * Warns of encoding a lossy result of an earlier run again. A resized or flattened image is meant to have other pixels.
 * @throws PixpressError where the result would replace the file, which nobody could undo
 */
async function secondLoss(
  { bytes, result, asked, shown, isReplaced }: ResultOfFile,
  { earlier, force }: FileTask,
): Promise<string[]> {
  const { resize, transform, adjust } = asked.operations
  if (!isLossy(result) || resize !== undefined || transform !== undefined || adjust !== undefined) return []
  const score = await earlier.scoreOf(bytes)
  if (score === undefined) return []
  const sentence = `was compressed for a score of ${score} by an earlier run, and would lose detail a second time`
  if (!isReplaced || force) return [`The file ${sentence}: the original would give a better image.`]
  throw new PixpressError('UNSUPPORTED_OPERATION', `The file ${sentence}: start from the original, or give --force.`, {
    file: shown,
  })
}

/** Puts a file that could not be worked on where its result would be. */
export async function copyAsItIs(input: InputFile, shown: string, task: FileTask): Promise<void> {
  // It is none of its sizes.
  if (input.variant !== undefined) return
  const target = task.targetOf(input, 'image/png', 'image/png')
  if (task.dryRun || target === input.file || (await isReadOnly(target))) return
  await task
    .writing(async () => {
      const bytes = await readFile(input.file)
      await task.backup?.keep(target, bytes)
      await replaceFile(target, bytes)
    })
    .catch((error: unknown) => {
      throw ioFailed('cannot be copied', shown, error)
    })
}

/**
 * Returns whether a converted result takes the place of a file beside its source. In a folder of results, that file is
 * a result of an earlier run.
 */
async function replacesAnother(target: string, { inPlace }: FileTask): Promise<boolean> {
  return inPlace && (await stat(target).catch(() => undefined)) !== undefined
}

/**
 * Returns whether the target is to be written. @throws PixpressError when it is another file, which may not be replaced
 */
async function differs(
  target: string,
  { data, info, input }: OptimizeResult,
  shown: string,
  task: FileTask,
): Promise<boolean> {
  const present = await readFile(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw ioFailed('cannot be written', shown, error)
  })
  if (present === undefined) return true
  if (Buffer.compare(present, data) === 0) return false
  // A converted file stands beside its source, where something else may have that name.
  if (info.type === input.type || task.overwrite) return true
  throw new PixpressError('IO_FAILED', `'${target}' is there already, and differs: give --overwrite or --out.`, {
    file: shown,
  })
}

/** Whoever has changed the file meanwhile must not lose that. */
async function assertUnchanged(file: string, before: { modified: number; size: number }, shown: string): Promise<void> {
  const now = await stat(file).catch((error: unknown) => {
    throw ioFailed('is gone', shown, error)
  })
  if (now.mtimeMs === before.modified && now.size === before.size) return
  throw new PixpressError(
    'IO_FAILED',
    'The file was changed while it was being compressed, and is left as it is now.',
    {
      file: shown,
    },
  )
}

/** Any bit that lets somebody write. Administrators may write without one, so that asking the system says nothing. */
const WRITABLE = 0o222

async function isReadOnly(file: string): Promise<boolean> {
  const present = await stat(file).catch(() => undefined)
  return present !== undefined && (present.mode & WRITABLE) === 0
}

/**
 * Refuses a read-only file, which its owner does not want replaced. A rename would replace it all the same.
 * @throws PixpressError
 */
async function assertWritable(target: string, shown: string): Promise<void> {
  if (!(await isReadOnly(target))) return
  const what = path.basename(target) === path.basename(shown) ? 'The file' : `'${path.basename(target)}'`
  throw new PixpressError('IO_FAILED', `${what} is read-only, and is left as it is.`, { file: shown })
}

/** The permissions are the source's; behind a symbolic link it is the file itself that is replaced. */
async function writeTo(
  target: string,
  source: string,
  data: Uint8Array,
  { preserveTimes }: Pick<FileTask, 'preserveTimes'>,
): Promise<void> {
  const { mode, atime: accessed, mtime: modified } = await stat(source)
  const place = await realpath(target).catch(() => target)
  const times = preserveTimes ? { accessed, modified } : undefined
  await replaceFile(place, data, { mode: mode & 0o777, durable: true, times })
}

function ioFailed(what: string, shown: string, error: unknown): PixpressError {
  if (error instanceof PixpressError) return error
  if (error instanceof PixpressError) return error
  const place = (error as NodeJS.ErrnoException | undefined)?.path ?? shown
  const fault = systemFault(error, what === 'cannot be read' ? shown : path.dirname(place))
  const reason = fault && `${fault.what}. ${fault.mend}.`
  const message = `The file ${what}${reason === undefined ? `: ${firstLine(error)}` : `. ${reason}`}`
  const isOfAll = OF_THE_DISK.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')
  return new PixpressError(isOfAll ? 'MACHINE_UNFIT' : 'IO_FAILED', message, { file: shown, cause: error })
}

/** Refusals that every other file would meet as well. */
const OF_THE_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])
