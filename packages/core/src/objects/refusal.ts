import { PixpressError } from '../base/errors.ts'
import { s3ErrorElement } from './signature-v4.ts'

/** Explains codes of refusals, and says what to do. */
const HINTS: Readonly<Record<string, string>> = {
  AccessControlListNotSupported: "The bucket has ACLs disabled, as new ones have: give acl 'no-acl'.",
  AccessDenied: 'The credentials lack the right to write there; an acl needs the right to set it as well.',
  AuthenticationRequired: 'The access token is wrong or has expired.',
  AuthorizationHeaderMalformed: 'The region is not that of the bucket.',
  ExpiredToken: 'The credentials have expired.',
  InvalidAccessKeyId: 'There is no such access key.',
  NoSuchBucket: 'There is no such bucket.',
  PermanentRedirect: 'The region is not that of the bucket.',
  RequestTimeTooSkewed: "This machine's clock is wrong.",
  SignatureDoesNotMatch: 'The secret access key is wrong.',
}

/**
 * The answer of a storage that refused. Its own message is passed on, which never holds what authorised the request.
 * @param body XML of S3's form, which Google's has too; it may be empty
 */
export function refusal(status: number, body: string): PixpressError {
  const code = s3ErrorElement(body, 'Code')
  const said = s3ErrorElement(body, 'Message')
  const reason = [
    `The object storage answered ${status}${code === undefined ? '' : ` ${code}`}`,
    ...(said === undefined ? [] : [said.replace(/\.$/, '')]),
  ].join(': ')
  const hint = HINTS[code ?? ''] ?? (status === 401 ? HINTS['AuthenticationRequired'] : undefined)
  return new PixpressError('STORE_FAILED', `${reason}.${hint === undefined ? '' : ` ${hint}`}`)
}
