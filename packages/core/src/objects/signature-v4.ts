import { createHash } from 'node:crypto'
import type { ObjectRequest } from './contract.ts'

/** Credentials for S3. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined
  readonly region: string
}

/**
 * Signs requests to S3, and to services that speak its protocol, with AWS Signature Version 4.
 * @returns gives the headers to send. Signatures hold for some minutes only, so each try is signed again
 */
export function createS3Signer(credentials: S3Credentials): (request: ObjectRequest) => Promise<Headers> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = credentials
  /** Signing keys by day: making one takes four rounds of HMAC. */
  const cache = new Map<string, ArrayBuffer>()

  return async ({ method, url, headers, body }) => {
    // The library is loaded with the first request: most builds and servers never need it.
    const { AwsV4Signer } = await import('aws4fetch')
    const digest = createHash('sha256')
    if (body !== undefined) digest.update(body)
    const signer = new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      cache,
      method,
      url,
      // Without the digest the body would not be a part of what is signed.
      headers: { ...headers, 'X-Amz-Content-Sha256': digest.digest('hex') },
    })
    return (await signer.sign()).headers
  }
}
