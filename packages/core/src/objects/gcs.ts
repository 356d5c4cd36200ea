import { createHash } from 'node:crypto'
import type { ObjectOptions, ObjectStore } from './contract.ts'

/** Google Cloud Storage. */
export interface GcsStoreOptions extends ObjectOptions {
  service: 'gcs'
  /** An OAuth access token. */
  gcp_access_token: string
}

/** The store of Google Cloud Storage. */
export const gcs: ObjectStore<GcsStoreOptions> = {
  label: 'Google Cloud Storage',
  provider: "Google's",
  members: { gcp_access_token: { required: true, inCommands: true } },
  endpoint: () => 'https://storage.googleapis.com',
  hints: {
    AccessDenied: 'The credentials lack the right to write there.',
    AuthenticationRequired: 'The access token is wrong or has expired.',
    NoSuchBucket: 'There is no such bucket.',
  },
  authorizer:
    ({ gcp_access_token }) =>
    ({ url, headers, body }) => {
      const authorized = new Headers({ ...headers, Authorization: `Bearer ${gcp_access_token}` })
      // An object that arrives damaged is refused.
      if (body !== undefined) authorized.set('Content-MD5', createHash('md5').update(body).digest('base64'))
      return Promise.resolve({ url, headers: authorized })
    },
}
