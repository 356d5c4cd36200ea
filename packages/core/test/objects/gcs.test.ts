import { startGcsDouble, testObjectStore } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { store } from '../../src/objects/store.ts'

const TOKEN = 'ya29.a-token-that-may-write'

testObjectStore('Google Cloud Storage, a double', async () => {
  const double = await startGcsDouble('pictures', { [TOKEN]: 'write', 'ya29.reader': 'read' })
  return {
    options: (path) => ({ service: 'gcs', gcp_access_token: TOKEN, endpoint: double.endpoint, path }),
    bucket: 'pictures',
    missingBucket: 'not-there',
    wrong: [
      ['token', { gcp_access_token: 'ya29.expired' }, /401 AuthenticationRequired.*wrong or has expired/],
      ['rights', { gcp_access_token: 'ya29.reader' }, /403 AccessDenied.*lack the right/],
    ],
    secrets: [TOKEN, 'ya29.expired', 'ya29.reader'],
    stop: () => double.close(),
  }
})

it('never sends an ACL, which buckets with uniform access refuse', async () => {
  const double = await startGcsDouble('pictures', { [TOKEN]: 'create' })
  try {
    const image = { data: Buffer.from('x'), info: { type: 'image/png' } }
    const options = {
      service: 'gcs',
      gcp_access_token: TOKEN,
      endpoint: double.endpoint,
      path: 'pictures/a.png',
    } as const
    await store(image, options)
    await expect(store(image, options)).rejects.toMatchObject({ message: /403 AccessDenied/ })
  } finally {
    await double.close()
  }
})
