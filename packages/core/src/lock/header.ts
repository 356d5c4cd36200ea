/** The formats that `convert: 'auto'` may write, as a lock has them. */
export interface LockedFormats {
  /** MIME types, best first. */
  readonly auto: readonly string[]
  /** The browsers that they were chosen for: the formats stay while a project names the same ones. */
  readonly browsers: string
}

/** The format of the file; another version is refused. */
export const LOCK_VERSION = 1

/** Returns the first line of a lock. */
export const renderHeader = (formats?: LockedFormats): string => JSON.stringify({ lock: LOCK_VERSION, ...formats })

/** Returns true if a line is the first line of a lock. A merge may have kept those of both sides. */
export const isHeader = (line: string): boolean => line.startsWith('{"lock":')

/** Returns the formats in the first line of a lock; `undefined` if it has none. */
export function formatsIn(header: string): LockedFormats | undefined {
  try {
    const { auto, browsers } = JSON.parse(header) as Partial<Record<keyof LockedFormats, unknown>>
    const isList = Array.isArray(auto) && auto.every((type) => typeof type === 'string')
    return isList && typeof browsers === 'string' ? { auto, browsers } : undefined
  } catch {
    return undefined
  }
}
