import { visibleText } from '@pixpress/core/report'
import { RULES } from '../findings.ts'
import type { Finding } from '../findings.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/**
 * JUnit's XML as Jenkins, GitLab and others read it (https://github.com/testmoapp/junitxml): a test for each image, one
 * for each budget that is exceeded, and one for each file that could not be checked.
 */
export function* junit(
  { findings, checked, failures }: CheckResult,
  { repositoryPath }: FormatSettings,
): Iterable<string> {
  const ofImages = new Map<string, Finding[]>()
  const named = new Set(findings.map(({ source }) => source))
  for (const { source } of checked) if (named.has(source)) ofImages.set(source, [])
  const ofGroups: Finding[] = []
  for (const finding of findings) {
    const own = ofImages.get(finding.source)
    if (own === undefined || isOfGroup(finding)) ofGroups.push(finding)
    else own.push(finding)
  }
  const counts = {
    tests: checked.length + ofGroups.length + failures.length,
    failures: [...ofImages.values()].filter((own) => own.length > 0).length + ofGroups.length,
    errors: failures.length,
  }
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites${attributes({ name: 'pixpress', ...counts })}>\n`
  yield `  <testsuite${attributes({ name: 'pixpress check', ...counts, skipped: 0 })}>\n`
  for (const { source } of checked) {
    yield testCase('images', source, repositoryPath(source), failed(ofImages.get(source) ?? []))
  }
  for (const finding of ofGroups) {
    const name = `${finding.budget ?? ''} (${finding.rule})`
    yield testCase('budgets', name, repositoryPath(finding.source), failed([finding]))
  }
  for (const { source, code, message } of failures) {
    yield testCase('images', source, repositoryPath(source), `      <error${attributes({ type: code, message })}/>\n`)
  }
  yield '  </testsuite>\n</testsuites>\n'
}

const isOfGroup = ({ rule }: Finding): boolean => rule === 'total-budget' || rule === 'growth-budget'

function testCase(kind: string, name: string, file: string, content: string): string {
  const start = `    <testcase${attributes({ classname: `pixpress.${kind}`, name, file })}`
  return content === '' ? `${start}/>\n` : `${start}>\n${content}    </testcase>\n`
}

/** One for all findings of an image: schemas allow a test no more. */
function failed(findings: readonly Finding[]): string {
  const [first] = findings
  if (first === undefined) return ''
  const lines = findings.map(({ rule, message }) => `${RULES[rule].title}: ${message}`)
  const head = attributes({ type: first.rule, message: lines[0]! })
  return `      <failure${head}>${lines.map(asXml).join('\n')}</failure>\n`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${asXml(String(value))}"`)
    .join('')
}

/** Control characters cannot stand in XML at all, nor can the two that are no characters. */
function asXml(text: string): string {
  return visibleText(text)
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
