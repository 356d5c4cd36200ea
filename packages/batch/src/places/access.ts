import { baseUrl, UsageError } from '@pixpress/core/internal'
import type { BucketAccess } from './bucket-requests.ts'

/** Where S3 is, as flags say it. */
export interface AccessFlags {
  readonly endpoint: string | undefined
  readonly region: string | undefined
}

/**
 * Reads the way into buckets from the variables that the tools of AWS have. No message shows a value.
 * @throws UsageError
 */
export function readAccess(
  { endpoint, region }: AccessFlags,
  env: Readonly<Record<string, string | undefined>>,
): BucketAccess {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']]
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError('A bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const given = endpoint ?? (env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || undefined)
  const url = given === undefined ? undefined : baseUrl(given, { encrypted: false })
  if (given !== undefined && url === undefined)
    throw new UsageError("Expected an http or https URL without user, query or fragment for '--endpoint'.")
  const place = region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1')
  if (!/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(place))
    throw new UsageError("Expected a region such as 'us-east-1' for '--region'.")
  return {
    endpoint: url,
    region: place,
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'] || undefined,
  }
}
