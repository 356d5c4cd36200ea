import { sha256 } from '@pixpress/core/internal'
import type { CacheEntries, CacheEntryName } from '../storage/contract.ts'
import { asShape, COUNT, DamagedRecordError, parseStoredJson } from '../storage/stored-records.ts'
import type { Shape } from '../storage/stored-records.ts'

/** A picture as it is delivered. */
export interface Picture {
  readonly data: Uint8Array
  /** MIME type. */
  readonly type: string
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly digest: string
}

/** Which picture answers a request, for as long as its original is not looked at again. */
export interface Answer {
  /** The name of the picture. */
  readonly picture: string
  /** Milliseconds since 1970 from which the answer is no more; `null` for one that stays. */
  readonly expiresAt: number | null
}

/** Pictures and answers that all servers share, by names of 64 hexadecimal digits. */
export interface Shelf {
  /** Returns `undefined` where there is none, or one that is damaged. */
  picture(name: string): Promise<Picture | undefined>
  keepPicture(name: string, picture: Picture): Promise<void>
  answer(name: string): Promise<Answer | undefined>
  keepAnswer(name: string, answer: Answer): Promise<void>
}

const ANSWER: Shape = {
  picture: { expected: '64 hexadecimal digits', holds: (value) => /^[\da-f]{64}$/.test(String(value)) },
  expiresAt: { expected: 'a time or null', holds: (value) => value === null || COUNT.holds(value) },
}

/** The two kinds of entries stand in the places of signers: nothing here is signed. */
const PICTURES = '0000000000000001'
const ANSWERS = '0000000000000002'

/** Keeps pictures and answers as entries. An entry is never replaced, so that servers agree whoever is first. */
export function createShelf(entries: CacheEntries): Shelf {
  async function read(signer: string, key: string): Promise<Buffer | undefined> {
    const found = await entries.stream(nameOf(signer, key))
    if (found === undefined) return undefined
    const chunks: Uint8Array[] = []
    for await (const chunk of found.body) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  return {
    async picture(name) {
      const bytes = await read(PICTURES, name)
      return bytes && decodePicture(bytes)
    },
    async keepPicture(name, picture) {
      await entries.create(nameOf(PICTURES, name), encodePicture(picture))
    },
    async answer(name) {
      const bytes = await read(ANSWERS, name)
      return bytes && decodeAnswer(bytes.toString())
    },
    async keepAnswer(name, answer) {
      await entries.create(nameOf(ANSWERS, name), Buffer.from(JSON.stringify(answer)))
    },
  }
}

const nameOf = (signer: string, key: string): CacheEntryName => ({ account: 'delivery', signer, key })

/** Makes a picture of bytes. */
export const pictureOf = (data: Uint8Array, type: string): Picture => ({ data, type, digest: sha256(data) })

/** Returns `undefined` for a damaged answer: the original is read again. */
function decodeAnswer(text: string): Answer | undefined {
  try {
    return asShape<Answer>('an answer', parseStoredJson('an answer', text), ANSWER)
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined
    throw error
  }
}

/** One line of JSON, then the bytes. */
function encodePicture({ data, type, digest }: Picture): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ type, digest })}\n`), data])
}

function decodePicture(bytes: Buffer): Picture | undefined {
  const end = bytes.indexOf(10)
  try {
    const { type, digest } = JSON.parse(bytes.toString('utf8', 0, end)) as Picture
    const picture = pictureOf(bytes.subarray(end + 1), type)
    return picture.digest === digest ? picture : undefined
  } catch {
    // A damaged entry is as good as none: the picture is made again, and only kept in memory.
    return undefined
  }
}
