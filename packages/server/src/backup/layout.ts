/**
 * A backup is a folder with the files of a data folder under the names that they have there, `SHA256SUMS` with a line
 * for each of them as sha256sum(1) reads it, and `backup.json`, which is written last: a folder without it is no
 * backup.
 */
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { COUNT, asShape, parseStoredJson } from '../storage/stored-records.ts'
import type { Check, Shape } from '../storage/stored-records.ts'
import type { OutputPart } from '../storage/contract.ts'

/** The database, in a data folder and in a backup. */
export const DATABASE = 'pixpress.sqlite'

/** The hash of the key that a server has made for itself. */
export const OWN_KEY = 'key'

/** The digests of all files. */
export const SUMS = 'SHA256SUMS'

/** The description of a backup. */
export const DESCRIPTION = 'backup.json'

/** Both parts of an output. */
export const PARTS: readonly OutputPart[] = ['upload', 'output']

/** Returns the place of an output's bytes in a data folder, with slashes. */
export const placeOfPart = (id: string, part: OutputPart): string => `outputs/${id.slice(0, 2)}/${id}.${part}`

/** The places that a backup may have: a line of a damaged or foreign one must not write anywhere else. */
const PLACE = /^(?:pixpress\.sqlite|key|outputs\/([\da-f]{2})\/\1[\da-f]{30}\.(?:upload|output))$/

/** The layout that this release writes. */
const LAYOUT = 1

/** The content of `backup.json`. */
export interface Description {
  readonly layout: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly outputs: number
  /** Bytes of all files. */
  readonly bytes: number
  /** SHA-256 of `SHA256SUMS`. */
  readonly sums: string
}

const DIGEST: Check = {
  expected: '64 hexadecimal digits',
  holds: (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value),
}

const SHAPE: Shape = { layout: COUNT, createdAt: COUNT, outputs: COUNT, bytes: COUNT, sums: DIGEST }

/** Completes a description by the layout. */
export const describe = (facts: Omit<Description, 'layout'>): Description => ({ layout: LAYOUT, ...facts })

/**
 * Reads what a backup is.
 * @throws PixpressError `INVALID_OPTION` where the folder is none, or one of a newer release
 */
export async function readDescription(folder: string): Promise<Description> {
  const file = path.join(folder, DESCRIPTION)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw damagedBackup(`Expected a whole backup in ${folder}, which has ${DESCRIPTION}; there is none to read.`, error)
  })
  const parse = (): Description => asShape<Description>(DESCRIPTION, parseStoredJson(DESCRIPTION, text), SHAPE)
  const description = attempt(parse, `Expected the description of a backup in ${file}; it is damaged.`)
  if (description.layout === LAYOUT) return description
  throw damagedBackup(
    `Expected a backup of layout ${LAYOUT} in ${folder}; a newer pixpress wrote layout ${description.layout}.`,
  )
}

/** A file of a backup. */
export interface SummedFile {
  /** With slashes. */
  readonly place: string
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string
}

/** The line of a file, as sha256sum(1) writes it. */
export const sumLine = ({ place, digest }: SummedFile): string => `${digest}  ${place}\n`

/**
 * Reads the digests of a backup, line by line, and checks them against its description at the end.
 * @throws PixpressError `INVALID_OPTION`
 */
export async function* readSums(folder: string, { sums }: Description): AsyncGenerator<SummedFile> {
  const file = path.join(folder, SUMS)
  const hash = createHash('sha256')
  try {
    const handle = await open(file, 'r')
    for await (const line of handle.readLines()) {
      hash.update(`${line}\n`)
      const [, digest, place = ''] = /^([\da-f]{64}) {2}(.*)$/.exec(line) ?? []
      if (digest === undefined || !PLACE.test(place)) throw damagedBackup(`Expected lines of a backup in ${file}.`)
      yield { digest, place }
    }
  } catch (error) {
    if (error instanceof PixpressError) throw error
    throw damagedBackup(`Expected the digests of a backup in ${file}, which cannot be read.`, error)
  }
  if (hash.digest('hex') !== sums) throw damagedBackup(`Expected the digests that ${DESCRIPTION} speaks of in ${file}.`)
}

function attempt<T>(work: () => T, message: string): T {
  try {
    return work()
  } catch (error) {
    throw damagedBackup(message, error)
  }
}

/** Refuses a backup that is none, or not whole. */
export const damagedBackup = (message: string, cause?: unknown): PixpressError =>
  new PixpressError('INVALID_OPTION', message, { cause })
