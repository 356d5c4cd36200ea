import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AUDIT_FILE, parseAudit } from '@pixpress/core/internal'
import type { AuditedWidths } from '@pixpress/core/internal'

/**
 * Gives what `pixpress audit --write` found of the project's images: read when the first `w=auto` asks, and once. A
 * file that is not understood is named, and has no say.
 * @param root of the project, absolute
 */
export function auditOf(root: string, warn: (message: string) => void): () => Promise<AuditedWidths> {
  let found: Promise<AuditedWidths> | undefined
  const read = async (): Promise<AuditedWidths> => {
    const text = await readFile(path.join(root, AUDIT_FILE), 'utf8').catch(() => undefined)
    const widths = text === undefined ? new Map<string, readonly number[]>() : parseAudit(text)
    if (widths === undefined)
      warn(`'${AUDIT_FILE}' is not understood, and has no say: run 'pixpress audit --write' again.`)
    return widths ?? new Map<string, readonly number[]>()
  }
  return () => (found ??= read())
}
