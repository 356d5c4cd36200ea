import { makeBucket } from '@pixpress/testkit'
import type { Radosgw } from '@pixpress/testkit'
import type { BucketSettings, GivenSettings } from '../../src/index.ts'

/** A bucket for outputs in a gateway. */
export async function outputsBucket({ endpoint, accessKeyId, secretAccessKey }: Radosgw): Promise<BucketSettings> {
  const bucket = 'outputs'
  await makeBucket({ endpoint, accessKeyId, secretAccessKey }, bucket)
  return { endpoint, region: 'us-east-1', bucket, accessKeyId, secretAccessKey }
}

/** The settings of servers that share a Redis and a bucket. */
export function sharedSettings(
  redisUrl: string,
  { endpoint, bucket, accessKeyId, secretAccessKey }: BucketSettings,
): { given: GivenSettings; env: Record<string, string> } {
  return {
    given: { redis: redisUrl, s3: `${endpoint}/${bucket}` },
    env: { PIXPRESS_S3_ACCESS_KEY_ID: accessKeyId, PIXPRESS_S3_SECRET_ACCESS_KEY: secretAccessKey },
  }
}
