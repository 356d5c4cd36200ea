import { parseBytes } from '../options/byte-size.ts'
import { whole } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface MaxBytesOperation {
  /**
   * The most bytes of the result, 1 or more. Where the asked quality takes more, the image gets the best score that
   * fits; where nothing fits, the smallest result and a note. Preserved metadata comes on top.
   */
  maxBytes?: number
}

interface ResolvedMaxBytes {
  /** Bytes; `null` without a bound. */
  readonly maxBytes: number | null
}

interface MaxBytesDirective {
  /** Bytes. */
  maxBytes: number
}

/** Bounds the bytes of a result. */
export const maxBytes: Operation<MaxBytesOperation, number, ResolvedMaxBytes, MaxBytesDirective> = {
  place: 6,
  parser: whole(1),
  resolved: (bytes) => ({ maxBytes: bytes ?? null }),
  shownDefault: 'none',
  doc: 'bytes that an image may have. Where `quality` takes more, it gets the best score that fits; where nothing fits, the smallest result, and the build says so',
  flags: {
    'max-bytes': {
      value: 'SIZE',
      description: 'bytes that an image may have (`300kB`, `1MiB`), at the best score that fits',
    },
  },
  fromFlags: ({ 'max-bytes': size }) => (size === undefined ? undefined : parseBytes('--max-bytes', size)),
  directive: {
    word: 'maxBytes',
    doc: 'bytes that the image may have (`300kB`, `1MiB`); beyond them `quality` gives way',
    alternatives: true,
    read: (text, option) => parseBytes(option, text),
  },
}
