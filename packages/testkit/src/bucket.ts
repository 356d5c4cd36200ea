import { createHmac } from 'node:crypto'
import type { Radosgw } from './radosgw.ts'

/**
 * Makes a bucket of a gateway. Signed in the way of version 2, which gateways still take and which is a line
 * (docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html).
 */
export async function makeBucket(
  { endpoint, accessKeyId, secretAccessKey }: Pick<Radosgw, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>,
  name: string,
): Promise<void> {
  const date = new Date().toUTCString()
  const signature = createHmac('sha1', secretAccessKey)
    .update(`PUT\n\n\n\nx-amz-date:${date}\n/${name}`)
    .digest('base64')
  const response = await fetch(`${endpoint}/${name}`, {
    method: 'PUT',
    headers: { 'X-Amz-Date': date, Authorization: `AWS ${accessKeyId}:${signature}` },
  })
  if (!response.ok) throw new Error(`The bucket was not made: ${response.status} ${await response.text()}`)
}
