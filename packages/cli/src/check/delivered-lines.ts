import type { InputType } from '@pixpress/core'
import type { Lock, LockLine } from '@pixpress/core/internal'

/** The heaviest file that a build ships of an image. */
export interface Delivered {
  readonly bytes: number
  readonly type: InputType
  readonly score?: number
  /** Equal for files with the same bytes. */
  readonly id: string
}

/**
 * Looks up the lock's line of what the last build delivered of a file. Returns `undefined` if no line is about its
 * present bytes.
 */
export type DeliveredLookup = (file: string, digest: string, isConverted: boolean) => Delivered | undefined

/**
 * Several lines of a source are its sizes and types.
 * @param lock the lines and what names a file in them
 */
export function createDeliveredLookup({ lines, nameOf }: Pick<Lock, 'lines' | 'nameOf'>): DeliveredLookup {
  const linesOf = linesBySource(lines)
  return (file, digest, isConverted) => {
    const own = (linesOf.get(nameOf(file)) ?? []).filter((line) => line.sha256 === digest)
    const line = heaviestLine(own, isConverted)
    if (line === undefined) return undefined
    const { bytes, type, score, key } = line
    return { bytes, type, ...(score !== undefined && { score }), id: key }
  }
}

/** Groups lines by their sources. */
export function linesBySource(lines: readonly LockLine[]): ReadonlyMap<string, readonly LockLine[]> {
  const linesOf = new Map<string, LockLine[]>()
  for (const line of lines) {
    const own = linesOf.get(line.source)
    if (own === undefined) linesOf.set(line.source, [line])
    else own.push(line)
  }
  return linesOf
}

/**
 * Returns the heaviest of a source's lines, and of equal ones the first.
 * @param isConverted true if builds ship it in another type. Builds keep lines that they have not used, as another
 * build may need them, so a line in the source's own type is from before the conversion.
 */
export function heaviestLine(lines: readonly LockLine[], isConverted: boolean): LockLine | undefined {
  const converted = isConverted ? lines.filter(({ operations }) => operations['types'] != null) : []
  const present = converted.length > 0 ? converted : lines
  return present.reduce<LockLine | undefined>(
    (most, line) => (line.bytes > (most?.bytes ?? -1) ? line : most),
    undefined,
  )
}
