import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AUDIT_FILE, auditFileText, parseAudit } from '@pixpress/core/internal'
import { createOptimizer } from '@pixpress/core'
import { writeText } from '@pixpress/migrate/script'
import { NO_ADVICE, planAdvice } from './advice/plan.ts'
import type { AdvicePlan } from './advice/plan.ts'
import { loadAdvicePlugin } from './advice/plugin.ts'
import { typeEdits } from './advice/typescript.ts'
import { drawnWidths, widthsFor } from './rules/drawn-widths.ts'
import { findingsOf } from './findings/findings.ts'
import type { AuditFinding } from './findings/findings.ts'
import { hasDefaultDirectives } from './sources/defaults.ts'
import { findOrigins, twinsOf } from './sources/origins.ts'
import { faultsOf } from './run-audit.ts'
import { NO_SOURCES, readSources } from './sources/sources.ts'
import type { Visit } from './visit/facts.ts'

/** The findings, the advice on them, and what `--write` writes. */
export interface WritePlan {
  readonly findings: readonly AuditFinding[]
  readonly advice: AdvicePlan
  /** True if the project has a plugin that reads directives. */
  readonly hasPlugin: boolean
  /** Widths that each source is drawn with. */
  readonly widths: ReadonlyMap<string, readonly number[]>
}

/** Where the sources of the pages are, and which findings count. */
export interface Planning {
  /** Absolute folder of the project. */
  readonly project: string
  /** False where the pages belong to no project: then nothing is known of their sources. */
  readonly hasSources: boolean
  /** Absolute folder of the site; `undefined` where it was a server. */
  readonly output: string | undefined
  /** Bytes from which a waste is a finding. */
  readonly leastWaste: number
}

/** Decides what the visits show, and what is to be written where. Nothing is written yet. */
export async function planWrites(visits: readonly Visit[], planning: Planning): Promise<WritePlan> {
  const { project, hasSources, output, leastWaste } = planning
  const files = hasSources ? await readSources(project, output) : NO_SOURCES
  const originOf = await findOrigins(project, files.images, visits, output)
  const loaded = visits.flatMap((visit) => [...visit.loaded.keys()].flatMap((url) => originOf(url) ?? []))
  const pixels = await widthsOfFiles(project, new Set(loaded))
  const found = findingsOf(
    visits,
    (visit) => faultsOf(visit, leastWaste),
    (url) => {
      const file = originOf(url)
      return file === undefined ? undefined : { file, width: pixels.get(file) }
    },
  )
  const findings = found.map(({ finding }) => finding)
  const drawn = new Map<string, number[]>()
  for (const [url, widths] of drawnWidths(visits)) {
    const source = originOf(url)
    if (source !== undefined) drawn.set(source, [...(drawn.get(source) ?? []), ...widths])
  }
  const sources = new Set([
    ...drawn.keys(),
    ...findings.flatMap(({ source }) => (source === undefined ? [] : [source])),
  ])
  const widths = new Map(
    [...drawn].flatMap(([source, each]) => {
      const most = pixels.get(source)
      return most === undefined ? [] : [[source, widthsFor(each, most)] as const]
    }),
  )
  const plugin = files.images.length === 0 ? undefined : await loadAdvicePlugin(project)
  const twins = await twinsOf(project, files.images, sources)
  const hasDefaults = plugin !== undefined && (await hasDefaultDirectives(project, files.texts))
  const facts = { visits, sources: files, widths: pixels, twins, isBuilt: output !== undefined, hasDefaults }
  const planned = plugin === undefined ? NO_ADVICE : planAdvice(found, plugin, facts)
  const advice = { ...planned, changes: await typeEdits(project, files.texts, planned.changes) }
  return { findings, advice, hasPlugin: plugin !== undefined, widths }
}

/** Pixels across, of those that can be read. */
async function widthsOfFiles(project: string, sources: Iterable<string>): Promise<Map<string, number>> {
  const optimizer = createOptimizer({ cache: false })
  const pixels = new Map<string, number>()
  for (const source of sources) {
    const header = await readFile(path.join(project, source))
      .then((bytes) => optimizer.probe(bytes))
      .catch(() => undefined)
    if (header !== undefined && header.width > 0) pixels.set(source, header.width)
  }
  await optimizer.close()
  return pixels
}

/** Writes each file whole. Widths of other images that an earlier audit found stay. */
export async function writeFiles(project: string, { widths, advice }: WritePlan): Promise<void> {
  for (const { file, after } of advice.changes) await writeText(project, file, after)
  const place = path.join(project, AUDIT_FILE)
  const before = parseAudit(await readFile(place, 'utf8').catch(() => '')) ?? new Map<string, readonly number[]>()
  if (widths.size > 0) await writeText(project, AUDIT_FILE, auditFileText(new Map([...before, ...widths])))
}
