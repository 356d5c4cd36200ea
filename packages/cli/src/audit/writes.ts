import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AUDIT_FILE, auditFileText, parseAudit, replaceFile } from '@pixpress/core/internal'
import { createOptimizer } from '@pixpress/core'
import { drawnWidths, widthsFor } from './drawn-widths.ts'
import type { AuditResult } from './run-audit.ts'
import { editWidths, sourceOf } from './sources.ts'
import type { ProjectSources, WidthEdit } from './sources.ts'
import type { FileChange } from '../migrate/project.ts'
import { shownUrl } from './findings.ts'

/** What `--write` would write. */
export interface WritePlan {
  /** Sources of images by their paths on the site, where that is certain. */
  readonly sources: ReadonlyMap<string, string>
  /** Widths that each source is drawn with. */
  readonly widths: ReadonlyMap<string, readonly number[]>
  readonly edits: readonly WidthEdit[]
  readonly changes: readonly FileChange[]
}

/** @param files what the pages are made of */
export async function planWrites(project: string, files: ProjectSources, result: AuditResult): Promise<WritePlan> {
  const sources = new Map<string, string>()
  const drawn = new Map<string, number[]>()
  for (const [url, widths] of drawnWidths(result.visits)) {
    const source = sourceOf(url, files.images)
    if (source === undefined) continue
    sources.set(shownUrl(url), source)
    drawn.set(source, [...(drawn.get(source) ?? []), ...widths])
  }
  const optimizer = createOptimizer({ cache: false })
  const widths = new Map<string, readonly number[]>()
  for (const [source, each] of drawn) {
    const header = await readFile(path.join(project, source))
      .then((bytes) => optimizer.probe(bytes))
      .catch(() => undefined)
    if (header !== undefined && header.width > 0) widths.set(source, widthsFor(each, header.width))
  }
  await optimizer.close()
  return { sources, widths, ...editWidths(files, widths) }
}

/** Writes each file whole. What an earlier run found of other images stays. */
export async function write(project: string, { widths, changes }: WritePlan): Promise<void> {
  for (const { file, after } of changes) await replaceFile(path.join(project, file), after)
  const place = path.join(project, AUDIT_FILE)
  const before = parseAudit(await readFile(place, 'utf8').catch(() => '')) ?? new Map<string, readonly number[]>()
  if (widths.size > 0) await replaceFile(place, auditFileText(new Map([...before, ...widths])))
}
