import { createHash } from 'node:crypto'
import type { GcsDestination, S3Destination } from './options.ts'
import { encodePath } from './path.ts'

/** What to send for an object. */
export interface StoredObject {
  readonly data: Uint8Array
  /** MIME type. */
  readonly type: string
}

/** The address of the object, for requests and for whoever wants to see it. */
export const locationOf = ({ endpoint, path }: S3Destination | GcsDestination): string => endpoint + encodePath(path)

/** A request that is signed anew for each try: signatures hold for some minutes only. */
export async function putRequest(
  destination: S3Destination | GcsDestination,
  object: StoredObject,
  signal: AbortSignal,
): Promise<Request> {
  const { data, type } = object
  const headers: Record<string, string> = {
    'Content-Type': type,
    ...(destination.cacheControl !== undefined && { 'Cache-Control': destination.cacheControl }),
  }
  const init = { method: 'PUT', body: data as Uint8Array<ArrayBuffer>, redirect: 'manual' as const, signal }
  if (destination.service === 's3' && destination.acl !== undefined) headers['X-Amz-Acl'] = destination.acl
  // An object that arrives damaged is refused.
  if (destination.service === 'gcs') headers['Content-MD5'] = createHash('md5').update(data).digest('base64')
  return signed(destination, { ...init, headers }, createHash('sha256').update(data).digest('hex'))
}

/** Asks for the object without its bytes. */
export function headRequest(destination: S3Destination | GcsDestination, signal: AbortSignal): Promise<Request> {
  const nothing = createHash('sha256').digest('hex')
  return signed(destination, { method: 'HEAD', redirect: 'manual', signal, headers: {} }, nothing)
}

async function signed(
  destination: S3Destination | GcsDestination,
  init: RequestInit & { headers: Record<string, string> },
  bodyDigest: string,
): Promise<Request> {
  const location = locationOf(destination)
  if (destination.service === 'gcs') {
    return new Request(location, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${destination.accessToken}` },
    })
  }
  // Loaded with the first image that is stored: most builds never need it.
  const { AwsClient } = await import('aws4fetch')
  const { accessKeyId, secretAccessKey, sessionToken, region } = destination
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
    retries: 0,
  })
  // Without this header the body would not be a part of what is signed.
  const headers = { ...init.headers, 'X-Amz-Content-Sha256': bodyDigest }
  return client.sign(location, { ...init, headers })
}
