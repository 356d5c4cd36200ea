/** The file that `pixpress audit --write` keeps beside a project's package.json: how wide pages draw each image. */
export const AUDIT_FILE = 'pixpress.audit.json'

/**
 * Widths by the source's path relative to the project, with forward slashes: pixels of the device, the narrowest first.
 */
export type AuditedWidths = ReadonlyMap<string, readonly number[]>

/** Returns the text of the file: the same for the same widths. */
export function auditFileText(widths: AuditedWidths): string {
  const entries = [...widths]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, each]) => [source, { widths: each }])
  return `${JSON.stringify({ version: 1, images: Object.fromEntries(entries) }, null, 2)}\n`
}

/** Parses the file; `undefined` for a file of another program or version. */
export function parseAudit(text: string): AuditedWidths | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { version, images } = (value ?? {}) as { version?: unknown; images?: unknown }
  if (version !== 1 || typeof images !== 'object' || images === null) return undefined
  const entries = Object.entries(images as Readonly<Record<string, { widths?: unknown } | null>>)
  const widths = entries.map(([source, each]) => [source, each?.widths] as const)
  return widths.every(([, given]) => areWidths(given)) ? new Map(widths as [string, readonly number[]][]) : undefined
}

const areWidths = (given: unknown): boolean =>
  Array.isArray(given) && given.length > 0 && given.every((width) => Number.isSafeInteger(width) && width > 0)
