import { statSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'
import { createBucketDestination, createBucketSource, readObject } from './bucket.ts'
import type { BucketPlace } from './bucket.ts'
import { createBucketRequests } from './bucket-requests.ts'
import type { AskBucket, BucketAccess } from './bucket-requests.ts'
import type { Destination, Source } from './contract.ts'
import { createFolderDestination, createFolderSource } from './folder.ts'
import { createManifestSource } from './manifest.ts'

/** Options of opening places. */
export interface PlaceOptions {
  /** Folder that paths are relative to, absolute. */
  readonly cwd: string
  /** Returns the way into buckets. @throws UsageError where the environment has no credentials */
  readonly access: () => BucketAccess
}

/** Opens the source of a batch. @param isTaken decides by keys of folders and buckets; a manifest's are all taken */
export function openBatchSource(
  from: string,
  { cwd, access }: PlaceOptions,
  isTaken: (key: string) => boolean,
): Source {
  const place = parseBucket(from, '--from')
  if (place !== undefined) return createBucketSource(createBucketRequests(access(), place.bucket), place, isTaken)
  const given = path.resolve(cwd, from)
  const stats = statSync(given, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) return createFolderSource(given, isTaken)
  if (stats?.isFile() === true) return createManifestSource(given, readS3(access))
  throw new UsageError(`Expected a folder, a list of images or s3://bucket/folder for '--from' but received '${from}'.`)
}

/** Opens the destination of a batch. @throws UsageError */
export function openDestination(to: string, { cwd, access }: PlaceOptions): Destination {
  const place = parseBucket(to, '--to')
  if (place !== undefined) return createBucketDestination(createBucketRequests(access(), place.bucket), place)
  if (statSync(path.resolve(cwd, to), { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageError(`Expected a folder or s3://bucket/folder for '--to' but received the file '${to}'.`)
  return createFolderDestination(path.resolve(cwd, to))
}

/** Reads objects of any bucket, each with one client. */
function readS3(access: () => BucketAccess): Parameters<typeof createManifestSource>[1] {
  const clients = new Map<string, AskBucket>()
  return (url, image, most) => {
    const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(url) ?? []
    if (bucket === '') throw new UsageError(`Expected s3://bucket/key in the list of images but received '${url}'.`)
    const ask = clients.get(bucket) ?? createBucketRequests(access(), bucket)
    clients.set(bucket, ask)
    return readObject(ask, key, image, most)
  }
}

/** Parses `s3://bucket/folder`; `undefined` for a path. @throws UsageError */
export function parseBucket(text: string, flag: string): BucketPlace | undefined {
  const url = /^([a-z][a-z\d+.-]+):\/\/(.*)$/is.exec(text)
  if (url === null) return undefined
  const [, scheme = '', rest = ''] = url
  const [bucket = '', ...folders] = rest.split('/')
  const prefix = folders.filter((part, at) => part !== '' || at < folders.length - 1).join('/')
  const isBucket = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)
  if (scheme.toLowerCase() === 's3' && isBucket && !prefix.split('/').some((part) => part === '.' || part === '..'))
    return { bucket, prefix: prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/` }
  throw new UsageError(`Expected a path or s3://bucket/folder for '${flag}' but received '${text}'.`)
}

/** Returns the name of a place as `openBatchSource` and `openDestination` give it. */
export function placeName(text: string, cwd: string, flag: string): string {
  const place = parseBucket(text, flag)
  return place === undefined ? path.resolve(cwd, text) : `s3://${place.bucket}/${place.prefix}`
}
