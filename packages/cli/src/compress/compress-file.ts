import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError, readWholeFile, replaceFile } from '@pixpress/core'
import type { ImageStore, Operations, OptimizeResult, Optimizer } from '@pixpress/core'
import type { InputFile } from './inputs.ts'
import type { TargetOf } from './targets.ts'

export interface FileTask {
  readonly optimizer: Optimizer
  readonly operations: Operations
  readonly targetOf: TargetOf
  /** Where results are put besides. */
  readonly store: ImageStore | undefined
  readonly dryRun: boolean
  readonly overwrite: boolean
  /** Takes note of a write in progress, which the end of the process waits for. */
  readonly writing: (write: Promise<void>) => Promise<void>
}

export interface FileOutcome {
  readonly result: OptimizeResult
  /** The file that now holds the result, absolute; `undefined` when nothing had to be written. */
  readonly output: string | undefined
  /** Of the result in the store; `undefined` where there is none. */
  readonly address: string | undefined
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
  const result = await task.optimizer.optimize(bytes, task.operations, { file: shown })
  const target = task.targetOf(input, result.input.type, result.info.type)
  const due = target === input.file ? result.data.length < bytes.length : await differs(target, result, shown, task)
  const address = task.dryRun
    ? undefined
    : await task.store?.put({ data: result.data, type: result.info.type, name: path.basename(target), source: shown })
  if (!due) return { result, output: undefined, address }
  if (!task.dryRun) {
    if (target === input.file) await assertUnchanged(input.file, { modified, size: bytes.length }, shown)
    const write = writeTo(target, input.file, result.data).catch((error: unknown) => {
      throw ioFailed('cannot be written', shown, error)
    })
    await task.writing(write)
  }
  return { result, output: target, address }
}

/** Puts a file that could not be worked on where its result would be. */
export async function copyAsItIs(input: InputFile, shown: string, task: FileTask): Promise<void> {
  const target = task.targetOf(input, 'image/png', 'image/png')
  if (task.dryRun || target === input.file) return
  const write = readFile(input.file)
    .then((bytes) => replaceFile(target, bytes))
    .catch((error: unknown) => {
      throw ioFailed('cannot be copied', shown, error)
    })
  await task.writing(write)
}

/** Whether the target is to be written. @throws PixpressError when it is another file, which nobody said may go */
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

/** The permissions are the source's; behind a symbolic link it is the file itself that is replaced. */
async function writeTo(target: string, source: string, data: Uint8Array): Promise<void> {
  const { mode } = await stat(source)
  const place = await realpath(target).catch(() => target)
  await replaceFile(place, data, { mode: mode & 0o777, durable: true })
}

function ioFailed(what: string, shown: string, error: unknown): PixpressError {
  if (error instanceof PixpressError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new PixpressError('IO_FAILED', `The file ${what}: ${reason}`, { file: shown, cause: error })
}
