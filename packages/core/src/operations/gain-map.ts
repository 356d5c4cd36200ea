import { FLAG } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface GainMapOperation {
  /**
   * Keeps the HDR gain map of a JPEG in a JPEG: screens that are brighter than white show the picture as it was taken
   * by it. `false` drops it, which mostly saves a quarter of the bytes. Default `true`.
   */
  gainMap?: boolean
}

interface ResolvedGainMap {
  /** Absent unless gain maps are dropped. */
  readonly gainMap?: false
}

interface GainMapDirective {
  gainmap: boolean
}

/** Keeps or drops HDR gain maps. */
export const gainMap: Operation<GainMapOperation, boolean, ResolvedGainMap, GainMapDirective> = {
  place: 12,
  parser: FLAG,
  // Absent where it is not asked for, so that no other key changes.
  resolved: (isKept = true) => (isKept ? {} : { gainMap: false }),
  shownDefault: '`true`',
  doc: 'keeps the HDR gain map of a JPEG in a JPEG; `false` drops it',
  flags: { 'no-gain-map': { description: 'drops the HDR gain maps of JPEGs' } },
  fromFlags: ({ 'no-gain-map': text }) => (text === undefined ? undefined : false),
  directive: {
    word: 'gainmap',
    doc: '`true` (also without a value), `false`: keeps the HDR gain map of a JPEG, or drops it',
    alternatives: true,
    read: (text, option) => FLAG.parse(text === '' || text === 'true' ? true : text === 'false' ? false : text, option),
  },
}
