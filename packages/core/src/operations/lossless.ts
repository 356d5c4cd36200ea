import { FLAG } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface LosslessOperation {
  /** Keeps every pixel, for textures that hold data. Overrules `quality`, `maxBytes` and `encoder`. Default `false`. */
  lossless?: boolean
}

interface ResolvedLossless {
  /** Absent unless every pixel is to stay as it is. */
  readonly lossless?: true
}

interface LosslessDirective {
  lossless: boolean
}

/** Keeps every pixel. */
export const lossless: Operation<LosslessOperation, boolean, ResolvedLossless, LosslessDirective> = {
  place: 10,
  parser: FLAG,
  // Absent where it is not asked for, so that no other key changes.
  resolved: (isAsked = false) => (isAsked ? { lossless: isAsked } : {}),
  shownDefault: '`false`',
  doc: 'keeps every pixel as it is, for textures that hold data; overrules `quality`, `maxBytes` and `encoder`',
  flags: { lossless: { description: 'keeps every pixel as it is' } },
  fromFlags: ({ lossless: text }) => (text === undefined ? undefined : true),
  directive: {
    word: 'lossless',
    doc: '`true` (also without a value), `false`: keeps every pixel as it is',
    alternatives: true,
    read: (text, option) => FLAG.parse(text === '' || text === 'true' ? true : text === 'false' ? false : text, option),
  },
}
