import { PixpressError } from '../base/errors.ts'

/**
 * Makes the error for an answer of a storage that refused. Its own message is passed on, which never holds what
 * authorised the request.
 * @param body XML of S3's form, which Google's and Microsoft's have too; it may be empty
 * @param hints of the store, by code
 */
export function refusal(status: number, body: string, hints: Readonly<Record<string, string>>): PixpressError {
  const code = errorElement(body, 'Code')
  const said = errorElement(body, 'Message')
  const reason = [
    `The object storage answered ${status}${code === undefined ? '' : ` ${code}`}`,
    ...(said === undefined ? [] : [said.replace(/\.$/, '')]),
  ].join(': ')
  const hint = hints[code ?? ''] ?? (status === 401 ? hints['AuthenticationRequired'] : undefined)
  return new PixpressError('STORE_FAILED', `${reason}.${hint === undefined ? '' : ` ${hint}`}`)
}

/**
 * Returns the text of an element (`Code`, `Message`) in the body of an error, which is XML
 * (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), without what it could smuggle into a terminal.
 */
export function errorElement(xml: string, name: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${name}>([^<]{1,300})`).exec(xml)?.[1]?.trim()
  return text === undefined || text === '' ? undefined : text.replace(/[^\x20-\x7e]/g, '?')
}
