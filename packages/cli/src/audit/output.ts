import path from 'node:path'
import { AUDIT_FILE } from '@pixpress/core/internal'
import { formatBytes, visibleText } from '@pixpress/core/report'
import type { TableStyle } from '@pixpress/core/report'
import { KINDS, KIND_NAMES } from './kinds.ts'
import type { AuditFinding } from './findings.ts'
import type { AuditResult } from './run-audit.ts'
import type { WritePlan } from './writes.ts'

/** Pages that one finding names. */
const MOST_PAGES = 3

/** @param wrote whether `--write` did what is planned, would have, or was not given */
export function auditText(
  { visits, findings }: AuditResult,
  plan: WritePlan,
  wrote: 'did' | 'would' | 'not',
  { color }: TableStyle,
): string {
  const bold = (text: string): string => (color ? `\u001B[1m${text}\u001B[22m` : text)
  const dim = (text: string): string => (color ? `\u001B[2m${text}\u001B[22m` : text)
  const pages = new Set(visits.map(({ page }) => page)).size
  const viewports = new Set(visits.map(({ viewport }) => viewport.name)).size
  const lines = KIND_NAMES.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind)
    if (own.length === 0) return []
    return [bold(kind) + dim(`: ${KINDS[kind]}`), ...own.flatMap((finding) => block(finding, plan)), '']
  })
  const wasted = findings.reduce((sum, finding) => sum + finding.wasted, 0)
  const found =
    findings.length === 0
      ? 'nothing found'
      : `${counted(findings.length, 'finding')}${wasted > 0 ? `, about ${formatBytes(wasted)} too many` : ''}`
  const head = `pixpress  ${counted(pages, 'page')} in ${counted(viewports, 'viewport')}: ${found}`
  const body = [head, '', ...lines, ...elsewhere(visits), ...written(plan, wrote)].join('\n').trimEnd()
  const end = endOf(findings)
  return `${[body, ...(end === undefined ? [] : ['', end])].join('\n')}\n`
}

/** The last line: what is worth most, of what is told above with what mends it. */
function endOf(findings: AuditResult['findings']): string | undefined {
  const [most] = findings.toSorted((a, b) => b.wasted - a.wasted)
  if (most === undefined || most.wasted === 0) return undefined
  const wasted = findings.reduce((sum, each) => sum + each.wasted, 0)
  return visibleText(
    `pixpress  about ${formatBytes(wasted)} too many; most of it ${most.image}: about ${formatBytes(most.wasted)} less`,
  )
}

/** Hosts of other machines, whose images nobody looked at. */
function elsewhere(visits: AuditResult['visits']): string[] {
  const hosts = visits.flatMap(({ refused }) => refused.map((url) => (URL.canParse(url) ? new URL(url).host : url)))
  return hosts.length === 0
    ? []
    : [visibleText(`Not loaded, as it is elsewhere: ${[...new Set(hosts)].sort().join(', ')}.`), '']
}

/** A finding whose directives are written behind the name of the source. */
function ofSource(finding: AuditFinding, { sources }: WritePlan): AuditFinding & { readonly source?: string } {
  const source = sources.get(finding.image)
  if (source === undefined) return finding
  const fix = finding.fix.replaceAll(`${path.posix.basename(finding.image)}?`, `${path.posix.basename(source)}?`)
  return { ...finding, fix, source }
}

function block(finding: AuditFinding, plan: WritePlan): string[] {
  const { image, source, element, message, fix, wasted, pages, viewports } = ofSource(finding, plan)
  const shownPages =
    pages.length > MOST_PAGES
      ? `${pages.slice(0, MOST_PAGES).join(', ')} and ${pages.length - MOST_PAGES} more`
      : pages.join(', ')
  const saving = wasted > 0 ? `, about ${formatBytes(wasted)} too many` : ''
  return [
    `  ${image}${source === undefined ? '' : ` (${source})`}`,
    `    ${message}${saving}.`,
    `    To mend it, ${fix}.`,
    ...(element === undefined ? [] : [`    ${element}`]),
    `    on ${shownPages} at ${viewports.join(', ')}`,
  ].map(visibleText)
}

function written({ edits, widths }: WritePlan, wrote: 'did' | 'would' | 'not'): string[] {
  if (edits.length === 0 && (wrote === 'not' || widths.size === 0)) return []
  const head = { did: 'Written:', would: 'Would be written:', not: "What '--write' would change:" }[wrote]
  return [
    head,
    ...edits.map(({ file, line, before, after }) => visibleText(`  ${file}:${line}  w=${before} → w=${after}`)),
    ...(wrote === 'not' || widths.size === 0
      ? []
      : [`  ${AUDIT_FILE}  widths of ${counted(widths.size, 'image')}, for w=auto`]),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The findings as JSON: equal for equal sites, browsers and viewports. */
export function auditData({ visits, findings, failures }: AuditResult, plan: WritePlan): string {
  const { widths, edits } = plan
  const data = {
    version: 1,
    pages: [...new Set(visits.map(({ page }) => page))],
    viewports: [...new Set(visits.map(({ viewport }) => viewport.name))],
    findings: findings.map((finding) => ofSource(finding, plan)),
    failures,
    refused: [...new Set(visits.flatMap(({ refused }) => refused))].sort(),
    widths: Object.fromEntries(widths),
    edits,
  }
  return `${JSON.stringify(data, null, 2)}\n`
}
