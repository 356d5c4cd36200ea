import { createObjectClient } from '../../objects/client.ts'
import type { ObjectRequest } from '../../objects/contract.ts'
import { resolveStoreOptions } from '../../objects/options.ts'
import { errorElement } from '../../objects/refusal.ts'
import type { Attempt } from '../../net/retry.ts'
import type { RemoteObjects } from './objects.ts'
import type { S3CacheRemote } from './options.ts'
import { ask } from './request.ts'
import type { Answer } from './request.ts'

/** Objects `<folder>/v1/<name>` of a bucket. S3 stores an object whole or not at all. */
export function createS3Objects(remote: Omit<S3CacheRemote, 'signingKey'>): RemoteObjects {
  const [bucket, ...folders] = remote.path.split('/')
  const folder = [...folders, 'v1'].join('/')
  const place = `The bucket '${bucket}'`
  const urlOf = (name: string): ReturnType<typeof resolveStoreOptions> =>
    resolveStoreOptions({ ...remote, path: `${bucket}/${folder}/${name}` }, 'cache.remote')
  const send = createObjectClient({ ...remote, acl: 'no-acl' })
  const request = <T>(
    asked: ObjectRequest,
    signal: AbortSignal,
    read: (answer: Answer) => { readonly value: T } | undefined,
  ): Promise<Attempt<T>> => ask(place, { signal, read, send: () => send(asked, { signal }) })

  return {
    place,
    get(name, signal) {
      return request({ method: 'GET', url: urlOf(name).url }, signal, (answer) => {
        if (answer.status === 200) return { value: answer.body }
        return isAbsent(answer) ? { value: undefined } : undefined
      })
    },
    has(name, signal) {
      return request({ method: 'HEAD', url: urlOf(name).url }, signal, ({ status }) => {
        if (status === 200) return { value: true }
        // Without the right to list a bucket, S3 answers so for what is not there; its answer to PUT says what is
        // wrong.
        return status === 404 || status === 403 ? { value: false } : undefined
      })
    },
    create(name, body, signal) {
      const headers = { 'If-None-Match': '*', 'Content-Type': 'application/octet-stream' }
      return request({ method: 'PUT', url: urlOf(name).url, headers, body }, signal, ({ status }) => {
        if (status === 200) return { value: 'created' }
        // 409: somebody else is creating it at the same time.
        return status === 412 || status === 409 ? { value: 'present' } : undefined
      })
    },
    list(under, from, signal) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: `${folder}/${under}/` })
      if (from !== undefined) query.set('continuation-token', from)
      const url = `${urlOf('name').bucketUrl}?${query}`
      return request({ method: 'GET', url }, signal, ({ status, body }) => {
        if (status !== 200) return undefined
        const xml = Buffer.from(body).toString()
        const keys = [...xml.matchAll(/<Key>[^<]*\/([0-9a-f]{64})<\/Key>/g)].map(([, key]) => key!)
        return { value: { keys, next: unescaped(/<NextContinuationToken>([^<]+)</.exec(xml)?.[1]) } }
      })
    },
  }
}

/**
 * Tells whether an object is absent. Without the right to list a bucket, S3 refuses absent objects; wrong credentials
 * have other codes.
 */
function isAbsent({ status, body }: Answer): boolean {
  const code = errorElement(Buffer.from(body).toString(), 'Code')
  return (status === 404 && code === 'NoSuchKey') || (status === 403 && code === 'AccessDenied')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string | undefined): string | undefined =>
  text?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)
