import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PixpressError } from '@pixpress/core'
import { firstLine, UsageError } from '@pixpress/core/internal'
import type { ListedImage, Source } from './contract.ts'
import { readImageFile } from './folder.ts'
import { readUrl } from './url.ts'

/** Members of a line of JSON. */
const MEMBERS = ['source', 'key', 'size', 'version'] as const

/** Reads an object by its `s3://` URL. */
export type ReadByUrl = (url: string, image: ListedImage, most: number) => ReturnType<Source['read']>

/**
 * The images that a file lists, in its order: one a line, as a path relative to the file, an `s3://` or `http` URL, or
 * as JSON with the members `source`, `key`, `size` and `version`.
 * @param readS3 reads objects of any bucket
 */
export function createManifestSource(file: string, readS3: ReadByUrl): Source {
  const folder = path.dirname(file)
  return {
    name: file,
    async *list() {
      const seen = createReadStream(file)
      let line = 0
      try {
        for await (const text of createInterface({ input: seen, crlfDelay: Infinity })) {
          line++
          if (text.trim() !== '') yield parseLine(text, `${file}:${line}`)
        }
      } catch (error) {
        if (error instanceof PixpressError || error instanceof UsageError) throw error
        throw new UsageError(`'${file}' of '--from' cannot be read: ${firstLine(error)}.`)
      }
    },
    read(image, most) {
      const { source = image.key } = image
      if (source.startsWith('s3://')) return readS3(source, image, most)
      if (/^https?:\/\//i.test(source)) return readUrl(source, image, most)
      return readImageFile(path.resolve(folder, source), image, most)
    },
  }
}

/** @param where file and line, for messages */
function parseLine(text: string, where: string): ListedImage {
  if (!text.trimStart().startsWith('{')) return fromText(text.trim())
  const value = parseJson(text, where)
  const unknown = Object.keys(value).find((name) => !(MEMBERS as readonly string[]).includes(name))
  if (unknown !== undefined) throw refused(where, `no other members than ${MEMBERS.join(', ')}, and not '${unknown}'`)
  const { source, key, size, version } = value
  if (typeof source !== 'string' || source === '') throw refused(where, "a text for 'source'")
  if (key !== undefined && (typeof key !== 'string' || key === '')) throw refused(where, "a text for 'key'")
  if (size !== undefined && !(Number.isSafeInteger(size) && (size as number) >= 0))
    throw refused(where, "a whole number of bytes for 'size'")
  if (version !== undefined && typeof version !== 'string') throw refused(where, "a text for 'version'")
  return {
    ...fromText(source),
    ...(key !== undefined && { key }),
    ...(size !== undefined && { size: size as number }),
    ...(version !== undefined && { version }),
  }
}

/** A path is its own key; of a URL it is all behind the scheme: `bucket/a.jpg`, `example.com/a.jpg`. */
function fromText(source: string): ListedImage {
  const url = /^(?:s3|https?):\/\/([^?#]+)/i.exec(source)
  if (url === null)
    return {
      key: source
        .split(path.sep)
        .join('/')
        .replace(/^(?:\.?\/)+/, ''),
      source,
    }
  const below = url[1]!
  return { key: source.startsWith('s3:') ? below : decodeURI(below), source }
}

function parseJson(text: string, where: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw refused(where, 'a line of JSON')
  }
}

const refused = (where: string, expected: string): UsageError => new UsageError(`${where}: expected ${expected}.`)
