import { createS3Signer } from './signature-v4.ts'
import type { ObjectOptions, ObjectStore } from './contract.ts'

/** S3, or a service that speaks its protocol. The members are those of the remote interface, and `endpoint`. */
export interface S3StoreOptions extends ObjectOptions {
  service: 's3'
  aws_access_key_id: string
  aws_secret_access_key: string
  /** The token of temporary credentials. */
  aws_session_token?: string
  region: string
  /** A canned ACL; `no-acl` sends none. Default `public-read`. */
  acl?: string
}

/** It becomes a part of a host name. */
const REGION = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

const DEFAULT_ACL = 'public-read'

/** The store of Amazon S3 and services like it. */
export const s3: ObjectStore<S3StoreOptions> = {
  label: 'S3',
  provider: "Amazon's",
  members: {
    aws_access_key_id: { required: true, inCommands: true },
    aws_secret_access_key: { required: true, inCommands: true },
    aws_session_token: { required: false, inCommands: false },
    region: { required: true, inCommands: true, form: [REGION, "a region such as 'us-east-1'"] },
    acl: {
      required: false,
      inCommands: true,
      default: DEFAULT_ACL,
      description: 'A canned ACL, or `no-acl` to send none.',
    },
  },
  // The bucket's name is a part of the path: certificates for host names do not cover names with dots.
  endpoint: ({ region }) => `https://s3.${region}.amazonaws.com`,
  hints: {
    AccessControlListNotSupported: "The bucket has ACLs disabled, as new ones have: give acl 'no-acl'.",
    AccessDenied: 'The credentials lack the right to write there; an acl needs the right to set it as well.',
    AuthorizationHeaderMalformed: 'The region is not that of the bucket.',
    ExpiredToken: 'The credentials have expired.',
    InvalidAccessKeyId: 'There is no such access key.',
    NoSuchBucket: 'There is no such bucket.',
    PermanentRedirect: 'The region is not that of the bucket.',
    RequestTimeTooSkewed: "This machine's clock is wrong.",
    SignatureDoesNotMatch: 'The secret access key is wrong.',
  },
  authorizer(options) {
    const { acl = DEFAULT_ACL, region } = options
    const sign = createS3Signer({
      accessKeyId: options.aws_access_key_id,
      secretAccessKey: options.aws_secret_access_key,
      sessionToken: options.aws_session_token,
      region,
    })
    return async (request) => {
      const withAcl = request.method === 'PUT' && acl !== 'no-acl'
      const headers = { ...request.headers, ...(withAcl && { 'X-Amz-Acl': acl }) }
      return { url: request.url, headers: await sign({ ...request, headers }) }
    }
  },
}
