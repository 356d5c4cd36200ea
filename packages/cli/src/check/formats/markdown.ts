import { formatBytes, visibleText } from '@pixpress/core/report'
import { RULES } from '../findings.ts'
import { keptBytes, keptGroups } from '../kept.ts'
import { amountOf } from '../../base/output.ts'
import { summaryOf } from '../result.ts'
import type { CheckResult } from '../result.ts'

/**
 * Writes a table of findings and one of the reasons why other images are no smaller, for comments and job summaries
 * (GitHub Flavored Markdown, section 4.10).
 */
export function markdown(result: CheckResult): [string] {
  const title = `### pixpress: ${summaryOf(result)}`
  const kept = keptTable(result)
  if (result.findings.length === 0) return [`${[title, ...kept].join('\n')}\n`]
  const rows = result.findings.map(({ rule, source, message, bytes, possible }) => [
    code(source),
    RULES[rule].title,
    formatBytes(bytes),
    possible === undefined ? '' : formatBytes(possible),
    escaped(message),
  ])
  const head = ['Image', 'Finding', 'Now', 'Possible', 'What']
  const lines = [head, ['---', '---', '---:', '---:', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`${[title, '', ...lines, ...kept].join('\n')}\n`]
}

function keptTable({ checked }: CheckResult): string[] {
  const rows = keptGroups(checked).map((group) => [
    group.images.length === 1 ? code(group.images[0]!.source) : amountOf(group.images.length, 'image'),
    keptBytes(group),
    escaped(group.sentence),
  ])
  const all = [['As small as they get', 'Now', 'Why'], ['---', '---:', '---'], ...rows]
  return rows.length === 0 ? [] : ['', ...all.map((cells) => `| ${cells.join(' | ')} |`)]
}

/** Bars separate cells even in code, and a backtick would end it. */
function code(name: string): string {
  const shown = visibleText(name).replaceAll('|', '\\|')
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
}

/** Names of files may hold whatever Markdown, HTML, mentions and references begin with. */
function escaped(text: string): string {
  return visibleText(text).replace(/[\\`*_[\]<>|#@&~]/g, (character) => `&#${character.codePointAt(0)};`)
}
