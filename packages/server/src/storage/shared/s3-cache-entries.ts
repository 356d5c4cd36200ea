import { createHash } from 'node:crypto'
import { createS3Requests, S3_TIMEOUTS } from './s3-requests.ts'
import type { S3Timeouts } from './s3-requests.ts'
import { withIdleTimeout } from './s3-bytes.ts'
import type { BucketSettings, CacheEntries, CacheEntryName } from '../contract.ts'

/**
 * Objects `<folder>/<account>/<signer>/<key>` of a bucket, the account by its hash. Old ones are left to a lifecycle
 * rule of the bucket.
 * @param folder `cache` for results of builds, `delivery` for those that are delivered
 */
export function createS3CacheEntries(
  settings: BucketSettings,
  folder: 'cache' | 'delivery',
  timeouts: S3Timeouts = S3_TIMEOUTS,
): CacheEntries {
  const request = createS3Requests(settings, timeouts)
  const folderOf = ({ account, signer }: Omit<CacheEntryName, 'key'>): string =>
    `${folder}/${createHash('sha256').update(account).digest('hex').slice(0, 32)}/${signer}/`
  const objectOf = (name: CacheEntryName): string => folderOf(name) + name.key

  async function has(name: CacheEntryName): Promise<boolean> {
    return (await request('HEAD', objectOf(name))) !== undefined
  }

  return {
    has,
    async create(name, bytes) {
      // Some providers ignore the condition of the request.
      if (await has(name)) return false
      const type = 'application/octet-stream'
      const response = await request('PUT', objectOf(name), { bytes, type, onlyNew: true })
      await response?.arrayBuffer()
      return response !== undefined
    },
    async stream(name) {
      const response = await request('GET', objectOf(name))
      if (response === undefined) return undefined
      const body = withIdleTimeout(response.body ?? new Blob([]).stream(), timeouts.idle)
      return { size: Number(response.headers.get('content-length')), body }
    },
    async list(of, after, limit) {
      const prefix = folderOf(of)
      const query = new URLSearchParams({ 'list-type': '2', prefix, 'max-keys': String(limit) })
      if (after !== undefined) query.set('start-after', prefix + after)
      const xml = await (await request('GET', `?${query}`))?.text()
      return [...(xml ?? '').matchAll(/<Key>[^<]*\/([\da-f]{64})<\/Key>/g)].map(([, key]) => key!)
    },
  }
}
