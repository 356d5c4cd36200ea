import { invalidOption } from '../base/errors.ts'

/** Where an object is to be: `<bucket>/<key>`. */
export interface ObjectPath {
  readonly bucket: string
  readonly key: string
}

const EXPECTED = "'<bucket>/<path>/<filename>'"

/** Bytes a key may have, in UTF-8, at both services. */
const LONGEST_KEY = 1024

/**
 * Splits a path. Segments `.` and `..` are refused: URLs lose them, and another object would be written.
 * @param option how messages call it
 * @throws PixpressError `INVALID_OPTION`
 */
export function parsePath(path: unknown, option: string = 'store.path'): ObjectPath {
  if (typeof path !== 'string') throw invalidOption(option, EXPECTED, path)
  const [bucket = '', ...segments] = path.split('/')
  const key = segments.join('/')
  if (!/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)) {
    throw invalidOption(option, `${EXPECTED} with a bucket of small letters, digits, '.', '-' and '_'`, path)
  }
  if (key === '' || key.endsWith('/')) throw invalidOption(option, `${EXPECTED}, with a file name at its end`, path)
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw invalidOption(option, `${EXPECTED} without segments '.' or '..'`, path)
  }
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  if (/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(key) || Buffer.byteLength(key) > LONGEST_KEY) {
    throw invalidOption(option, `${EXPECTED} of at most ${LONGEST_KEY} bytes without control characters`, path)
  }
  return { bucket, key }
}

/**
 * Returns the path of a URL: every byte that is not unreserved (RFC 3986 section 2.3) is escaped, as signatures want
 * it.
 */
export function encodePath({ bucket, key }: ObjectPath): string {
  const segments = key
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
  return `/${bucket}/${segments.join('/')}`
}
