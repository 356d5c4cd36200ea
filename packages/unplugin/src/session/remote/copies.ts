import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { detectType } from '@pixpress/core'
import { extensionFor, replaceFile, sha256, typeOfExtension } from '@pixpress/core/internal'
import { decodePath } from '../../references/url.ts'

/** A copy of a remote image on the disk. */
export interface Copy {
  /** Absolute path. */
  readonly file: string
  /** SHA-256 of its bytes. */
  readonly digest: string
}

/** The copy that a URL gave last, and what its server says of it. */
export interface LastCopy extends Copy {
  readonly etag?: string
  readonly lastModified?: string
}

/** Copies of remote images, by URL and digest. */
export interface Copies {
  /** The copy that a URL gave last; `undefined` where there is none, or it is damaged. */
  last(url: URL): Promise<LastCopy | undefined>
  /** The copy of a URL with this digest. */
  of(url: URL, digest: string): Promise<Copy | undefined>
  /** Keeps the bytes of an image that was fetched. @throws Error of the file system */
  keep(url: URL, data: Uint8Array, validators: Pick<LastCopy, 'etag' | 'lastModified'>): Promise<Copy>
}

/** Digits of a digest in a path: enough to tell copies apart, and Windows has long paths off. */
const DIGITS = 32

/** The folder of a URL, or that of its copy with a digest. */
const placeOf = (folder: string, url: URL, digest: string = ''): string =>
  path.join(folder, sha256(Buffer.from(url.href)).slice(0, DIGITS), digest.slice(0, DIGITS))

/** Name of the file that says which copy was the last. */
const STATE = 'last.json'

/** Characters of a name: some file systems take no more than 255 bytes, and hashes come to it. */
const MOST_OF_NAME = 80

interface State extends Pick<LastCopy, 'etag' | 'lastModified'> {
  readonly digest: string
  readonly name: string
}

/**
 * Makes the store of copies: `<folder>/<digest of the URL>/<digest of the bytes>/<name>`.
 * @param folders absolute: new copies go into the first, and all of them are looked through
 */
export function createCopies(folders: readonly [string, ...string[]]): Copies {
  return {
    async last(url) {
      for (const folder of folders) {
        const state = await stateOf(folder, url)
        const copy = state && (await checked(folder, url, state))
        if (state !== undefined && copy !== undefined) {
          const { etag, lastModified } = state
          return { ...copy, ...(etag && { etag }), ...(lastModified && { lastModified }) }
        }
      }
      return undefined
    },
    async of(url, digest) {
      for (const folder of folders) {
        const names = await readdir(placeOf(folder, url, digest)).catch((): string[] => [])
        for (const name of names.filter(isPlain)) {
          const copy = await checked(folder, url, { digest, name })
          if (copy !== undefined) return copy
        }
      }
      return undefined
    },
    async keep(url, data, validators) {
      const [folder] = folders
      const digest = sha256(data)
      const name = nameFor(url, data)
      const file = path.join(placeOf(folder, url, digest), name)
      await replaceFile(file, data)
      const state: State = { digest, name, ...validators }
      await replaceFile(path.join(placeOf(folder, url), STATE), JSON.stringify(state))
      return { file, digest }
    },
  }
}

/** Gives a copy whose bytes are those of its digest. */
async function checked(
  folder: string,
  url: URL,
  { digest, name }: Pick<State, 'digest' | 'name'>,
): Promise<Copy | undefined> {
  const file = path.join(placeOf(folder, url, digest), name)
  const data = await readFile(file).catch(() => undefined)
  return data !== undefined && sha256(data) === digest ? { file, digest } : undefined
}

async function stateOf(folder: string, url: URL): Promise<State | undefined> {
  try {
    const state = JSON.parse(await readFile(path.join(placeOf(folder, url), STATE), 'utf8')) as State
    return isPlain(state.digest) && isPlain(state.name) ? state : undefined
  } catch {
    return undefined
  }
}

/** A name for the file: the last part of the URL's path, with the extension of what the bytes are. */
function nameFor({ pathname }: URL, data: Uint8Array): string {
  const last = decodePath(pathname.slice(pathname.lastIndexOf('/') + 1))
  const own = path.extname(last)
  const isImage = typeOfExtension(own.slice(1)) !== undefined
  const stem = (isImage ? last.slice(0, -own.length) : last)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MOST_OF_NAME)
  const type = detectType(data)
  const extension = type === undefined ? 'bin' : extensionFor(type, own.slice(1))
  return `${stem === '' ? 'image' : stem}.${extension}`
}

/** Tells whether a part of a path that was read leads nowhere else. */
const isPlain = (part: unknown): boolean => typeof part === 'string' && /^[\w-][\w.-]*$/.test(part)
