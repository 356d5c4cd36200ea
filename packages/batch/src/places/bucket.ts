import { createHash } from 'node:crypto'
import { PixpressError } from '@pixpress/core'
import type { AskBucket, BucketAnswer } from './bucket-requests.ts'
import { listedObjects, nextToken } from './bucket-listing.ts'
import type { ListedObject } from './bucket-listing.ts'
import type { Destination, ListedImage, Missing, ReadImage, Source, StoredObject } from './contract.ts'
import { imageTooLarge } from './image-checks.ts'

/** A part of a bucket: all keys that begin so. */
export interface BucketPlace {
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

/** The images of a part of a bucket. @param isTaken decides by keys below the prefix */
export function createBucketSource(ask: AskBucket, place: BucketPlace, isTaken: (key: string) => boolean): Source {
  const { prefix } = place
  return {
    name: nameOf(place),
    async *list() {
      for await (const { key, size, version } of list(ask, prefix)) {
        const own = key.slice(prefix.length)
        if (isTaken(own)) yield { key: own, size, version }
      }
    },
    read: (image, most) => readObject(ask, prefix + image.key, image, most),
  }
}

/** Reads an object that is still as it was listed. @throws PixpressError */
export async function readObject(
  ask: AskBucket,
  key: string,
  image: ListedImage,
  most: number,
): Promise<ReadImage | Missing> {
  if (image.size !== undefined && image.size > most) throw imageTooLarge(image.key, most)
  const answer = await ask({
    method: 'GET',
    key,
    ...(image.version !== undefined && { headers: { 'If-Match': `"${image.version}"` } }),
    expected: [404, 412],
    most,
  })
  if (answer.status === 404) return isNoBucket(answer) ? failNoBucket() : 'gone'
  const version = etagOf(answer)
  if (answer.status === 412 || (image.version !== undefined && version !== image.version)) return 'changed'
  if (answer.isCut) throw imageTooLarge(image.key, most)
  return { bytes: answer.body, version }
}

/** A part of a bucket for results. */
export function createBucketDestination(ask: AskBucket, place: BucketPlace): Destination {
  const { prefix } = place
  const get = async (key: string, most?: number): Promise<Uint8Array | undefined> => {
    const range = most !== undefined && { headers: { Range: `bytes=0-${most - 1}` }, most }
    // 416: an empty object has no first byte.
    const answer = await ask({ method: 'GET', key: prefix + key, ...range, expected: [404, 416] })
    if (answer.status === 404) return isNoBucket(answer) ? failNoBucket() : undefined
    return answer.status === 416 ? new Uint8Array() : answer.body
  }
  return {
    name: nameOf(place),
    get,
    async create(key, object) {
      const { headers, body } = putOf(object)
      const condition = { ...headers, 'If-None-Match': '*' }
      const { status } = await ask({ method: 'PUT', key: prefix + key, headers: condition, body, expected: [412] })
      return status === 412 ? 'present' : 'created'
    },
    async replace(key, object) {
      await ask({ method: 'PUT', key: prefix + key, ...putOf(object) })
    },
    async holds(key, bytes) {
      const answer = await ask({ method: 'HEAD', key: prefix + key, expected: [404] })
      if (answer.status === 404 || Number(answer.headers.get('content-length')) !== bytes.length) return false
      // The ETag of an encrypted object is no digest of its bytes, so that another one says nothing.
      if (etagOf(answer) === md5(bytes, 'hex')) return true
      const present = await get(key)
      return present !== undefined && Buffer.compare(present, bytes) === 0
    },
    async *keys(folder) {
      for await (const { key } of list(ask, prefix + folder)) yield key.slice(prefix.length)
    },
  }
}

async function* list(ask: AskBucket, prefix: string): AsyncGenerator<ListedObject> {
  let token: string | undefined
  do {
    const asked = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix })
    if (token !== undefined) asked.set('continuation-token', token)
    // A signature takes a space as %20.
    const answer = await ask({ method: 'GET', key: '', query: asked.toString().replaceAll('+', '%20') })
    const xml = Buffer.from(answer.body).toString()
    yield* listedObjects(xml)
    token = nextToken(xml)
  } while (token !== undefined)
}

/** The store checks the bytes that arrive by both digests: that of the signature, and this one. */
const putOf = ({ bytes, type }: StoredObject): { headers: Record<string, string>; body: Uint8Array } => ({
  headers: { 'Content-Type': type, 'Content-MD5': md5(bytes, 'base64') },
  body: bytes,
})

const nameOf = ({ bucket, prefix }: BucketPlace): string => `s3://${bucket}/${prefix}`

const md5 = (bytes: Uint8Array, encoding: 'hex' | 'base64'): string => createHash('md5').update(bytes).digest(encoding)

const etagOf = ({ headers }: BucketAnswer): string | undefined => headers.get('etag')?.replaceAll('"', '')

/** A missing bucket is no missing object: every image would count as gone. */
const isNoBucket = ({ body }: BucketAnswer): boolean => Buffer.from(body).includes('<Code>NoSuchBucket</Code>')

function failNoBucket(): never {
  throw new PixpressError('STORE_FAILED', 'The object storage answered 404 NoSuchBucket. There is no such bucket.')
}
