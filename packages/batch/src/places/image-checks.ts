import { PixpressError } from '@pixpress/core'

/**
 * Checks that a key stays below its place wherever that is: a bucket takes what a file system would follow upwards.
 * @throws PixpressError `INVALID_OPTION`
 */
export function assertSafeKey(key: string): void {
  const isBelow = key.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  if (isBelow && !/[\\\u0000-\u001f\u007f]|\p{Surrogate}/u.test(key) && !/^[a-z]:/i.test(key)) return
  throw new PixpressError('INVALID_OPTION', 'Expected a path below its folder, without empty or dotted parts.', {
    file: key,
  })
}

/** Makes the error for an image that has too many bytes to be read. */
export function imageTooLarge(key: string, most: number): PixpressError {
  return new PixpressError('INPUT_TOO_LARGE', `The image has more bytes than the limit of ${most}.`, { file: key })
}
