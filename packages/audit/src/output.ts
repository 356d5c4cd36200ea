import { AUDIT_FILE } from '@pixpress/core/internal'
import { formatBytes, visibleText } from '@pixpress/core/report'
import type { TableStyle } from '@pixpress/core/report'
import { KINDS, UNMEASURED } from './findings/kinds.ts'
import { totalsOf } from './findings/findings.ts'
import type { AuditFinding } from './findings/findings.ts'
import type { AuditResult } from './run-audit.ts'
import type { WritePlan } from './writes.ts'

/** Pages, and places, that one finding names. */
const MOST_PAGES = 3

/** @param wrote whether `--write` did what is planned, would have, or was not given */
export function auditText(
  { visits }: AuditResult,
  plan: WritePlan,
  wrote: 'did' | 'would' | 'not',
  { color }: TableStyle,
): string {
  const { findings } = plan
  const bold = (text: string): string => (color ? `\u001B[1m${text}\u001B[22m` : text)
  const dim = (text: string): string => (color ? `\u001B[2m${text}\u001B[22m` : text)
  const pages = new Set(visits.map(({ page }) => page)).size
  const viewports = new Set(visits.map(({ viewport }) => viewport.name)).size
  const told = new Set<string>()
  const blocks = findings.flatMap((finding) => [
    bold(finding.kind) + dim(`: ${KINDS[finding.kind]}`),
    ...block(finding, plan, told),
    '',
  ])
  if (pages === 0) return 'pixpress  no page could be looked at\n'
  const head = `pixpress  ${counted(pages, 'page')} in ${counted(viewports, 'viewport')}: ${totalText(visits, findings)}`
  const more = [
    ...blocks,
    ...failedScripts(visits),
    ...elsewhere(visits),
    ...withoutPlugin(plan),
    ...written(plan, wrote),
  ]
  if (more.length === 0) return `${head}\n`
  return `${[head, '', ...more].join('\n').trimEnd()}\n\n${endOf(visits, findings)}\n`
}

function totalText(visits: AuditResult['visits'], findings: readonly AuditFinding[]): string {
  if (findings.length === 0) return nothingFound(visits)
  const { images, bytes, wasted } = totalsOf(visits, findings)
  const loaded = `${counted(images, 'image')} of ${formatBytes(bytes)}`
  const less = wasted > 0 ? `, which could be about ${formatBytes(wasted)} less` : ''
  return `${loaded}${less}; ${counted(findings.length, 'finding')}`
}

const nothingFound = (visits: AuditResult['visits']): string =>
  visits.some(({ errors }) => errors.length > 0) ? 'nothing found, but a script failed' : 'nothing found'

/** The last line, where others stand above it: what is worth most, of what is told there with what mends it. */
function endOf(visits: AuditResult['visits'], findings: readonly AuditFinding[]): string {
  const [most] = findings.toSorted((a, b) => b.wasted - a.wasted)
  if (most === undefined) return `pixpress  ${nothingFound(visits)}`
  const { wasted } = totalsOf(visits, findings)
  const count = counted(findings.length, 'finding')
  const known = `about ${formatBytes(wasted)} too many; most of it ${most.image}: about ${formatBytes(most.wasted)} less`
  const [other] = findings.filter(({ kind }) => UNMEASURED.has(kind)).toSorted((a, b) => b.bytes - a.bytes)
  // A file with fewer bytes than are known to be too many is not what matters.
  if (other === undefined || other.bytes <= wasted) {
    return visibleText(`pixpress  ${wasted === 0 ? `${count}, not known to cost bytes` : known}`)
  }
  const unknown = `what ${other.image} of ${formatBytes(other.bytes)} would save as another type is not measured`
  return visibleText(`pixpress  ${wasted === 0 ? count : known}; ${unknown}`)
}

/** Errors of scripts, as what these would have shown is not among the images. */
function failedScripts(visits: AuditResult['visits']): string[] {
  const pages = new Map<string, Set<string>>()
  for (const { page, errors } of visits) {
    for (const error of errors) pages.set(error, (pages.get(error) ?? new Set()).add(page))
  }
  const lines = [...pages].map(([error, those]) =>
    visibleText(`A script failed on ${namesOf([...those])}, so that images may be missing here: ${error}.`),
  )
  return lines.length === 0 ? [] : [...lines, '']
}

/** The first of some pages, and how many more there are. */
const namesOf = (pages: readonly string[]): string =>
  pages.length > MOST_PAGES
    ? `${pages.slice(0, MOST_PAGES).join(', ')} and ${pages.length - MOST_PAGES} more`
    : pages.join(', ')

/** Hosts of other machines, whose images nobody looked at. */
function elsewhere(visits: AuditResult['visits']): string[] {
  const hosts = visits.flatMap(({ refused }) => refused.map((url) => (URL.canParse(url) ? new URL(url).host : url)))
  return hosts.length === 0
    ? []
    : [visibleText(`Not loaded, as it is elsewhere: ${[...new Set(hosts)].sort().join(', ')}.`), '']
}

/** Without a plugin nothing that is written behind a name is read. */
function withoutPlugin({ hasPlugin, findings }: WritePlan): string[] {
  if (hasPlugin || !findings.some(({ source }) => source !== undefined)) return []
  return ["This project's build has no pixpress, which would make these sizes and types: run 'npx pixpress init'.", '']
}

/** @param told advice that stands above already, as one edit mends several findings */
function block(finding: AuditFinding, { advice }: WritePlan, told: Set<string>): string[] {
  const { image, source, element, elements = [], message, fix, wasted, pages, viewports } = finding
  const saving = wasted > 0 ? `, about ${formatBytes(wasted)} too many` : ''
  const places = advice.byFinding.get(finding) ?? []
  const mend = [
    ...places.map(({ file, line, text }) => {
      const said = told.has(`${file}:${line} ${text}`) ? 'write what stands above' : text
      told.add(`${file}:${line} ${text}`)
      return `    To mend it, in ${file}:${line} ${said}`
    }),
    // The advice of the places does not mend all of it.
    ...(places.some(({ isWhole }) => isWhole) ? [] : [`    To mend it${places.length > 0 ? ' wholly' : ''}, ${fix}.`]),
  ]
  return [
    `  ${source ?? image}${source === undefined || `/${source}` === image ? '' : ` (${image})`}`,
    `    ${message}${saving}.`,
    ...mend,
    ...(element === undefined ? [] : [`    ${element}`]),
    ...(elements.length > 1 ? [`    and ${counted(elements.length - 1, 'other element')}`] : []),
    `    on ${namesOf(pages)} at ${viewports.join(', ')}`,
  ].map(visibleText)
}

function written({ advice, widths }: WritePlan, wrote: 'did' | 'would' | 'not'): string[] {
  if (advice.written.length === 0 && (wrote === 'not' || widths.size === 0)) return []
  const head = { did: 'Written:', would: 'Would be written:', not: "What '--write' would change:" }[wrote]
  const own = new Set(advice.written.map(({ file }) => file))
  const others = advice.changes.filter(({ file }) => !own.has(file)).map(({ file }) => `  ${file}  types of imports`)
  return [
    head,
    ...advice.written.map(({ file, line, text }) => visibleText(`  ${file}:${line}  ${text}`)),
    ...others,
    ...(wrote === 'not' || widths.size === 0
      ? []
      : [`  ${AUDIT_FILE}  widths of ${counted(widths.size, 'image')}, for w=auto`]),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The findings as JSON: equal for equal sites, browsers and viewports. */
export function auditData({ visits, failures }: AuditResult, { findings, advice, widths }: WritePlan): string {
  const data = {
    version: 1,
    pages: [...new Set(visits.map(({ page }) => page))],
    viewports: [...new Set(visits.map(({ viewport }) => viewport.name))],
    totals: totalsOf(visits, findings),
    findings: findings.map((finding) => ({ ...finding, advice: advice.byFinding.get(finding) ?? [] })),
    failures,
    refused: [...new Set(visits.flatMap(({ refused }) => refused))].sort(),
    scriptErrors: scriptErrorsOf(visits),
    widths: Object.fromEntries(widths),
    edits: advice.written,
  }
  return `${JSON.stringify(data, null, 2)}\n`
}

/** Each error of a script once for each page, in the order of the pages. */
function scriptErrorsOf(visits: AuditResult['visits']): readonly object[] {
  const seen = new Map(
    visits.flatMap(({ page, errors }) => errors.map((message) => [`${page}\0${message}`, { page, message }] as const)),
  )
  return [...seen.values()]
}
