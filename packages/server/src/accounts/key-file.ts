import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { hashKey, makeKey, parseKey } from './keys.ts'
import type { AccountKey } from './keys.ts'

/** The key that the server has made for itself. */
export interface OwnKey {
  readonly key: AccountKey
  /** The key itself, only when it was made just now: it is kept nowhere. */
  readonly made: string | undefined
  /** Where its hash lies. */
  readonly file: string
}

/** A key for the page of a server, and how the server knows it. */
export interface PageKey {
  readonly key: string
  readonly known: AccountKey
}

/**
 * Makes a key for the page, of the account of the server's own key. That one is known at the first start alone, so
 * later starts make another, which is kept nowhere.
 */
export function makePageKey({ made, key: { account } }: OwnKey): PageKey {
  const key = made ?? makeKey()
  return { key, known: { account, hash: hashKey(key) } }
}

/**
 * Tells whether a folder has a server's own key already. @throws PixpressError `IO_FAILED` when that cannot be read
 */
export async function hasOwnKey(folder: string): Promise<boolean> {
  return (await read(path.join(folder, 'key'))) !== undefined
}

/**
 * Reads the key of a server that was given none: made at the first start, kept as a hash in the data folder.
 * @throws PixpressError `IO_FAILED` or `INVALID_OPTION` when the file cannot be used
 */
export async function openOwnKey(folder: string): Promise<OwnKey> {
  const file = path.join(folder, 'key')
  const kept = await read(file)
  if (kept !== undefined) return { key: parseKey(kept.trim()), made: undefined, file }
  const made = makeKey()
  const line = `sha256:${hashKey(made).toString('hex')}`
  await write(file, `${line}\n`)
  return { key: parseKey(line), made, file }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new PixpressError('IO_FAILED', `The key's hash in ${file} cannot be read.`, { cause: error })
  }
}

async function write(file: string, text: string): Promise<void> {
  const temporary = `${file}.tmp`
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new PixpressError('IO_FAILED', `The key's hash cannot be kept in ${file}.`, { cause: error })
  }
}
