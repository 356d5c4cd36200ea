import { RULES, RULE_NAMES, withFingerprints } from '../findings.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/** SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), with what GitHub's code scanning asks for. */
export function sarif({ findings, failures }: CheckResult, { repositoryPath, version }: FormatSettings): [string] {
  const rules = RULE_NAMES.map((name) => ({
    id: name,
    name: name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: RULES[name].title },
    fullDescription: { text: RULES[name].description },
    defaultConfiguration: { level: 'error' },
  }))
  const results = withFingerprints(findings).map(({ finding: { rule, source, message }, fingerprint }) => ({
    ruleId: rule,
    ruleIndex: RULE_NAMES.indexOf(rule),
    level: 'error',
    message: { text: message },
    locations: [{ physicalLocation: physicalLocation(repositoryPath(source)) }],
    partialFingerprints: { 'pixpress/v1': fingerprint },
  }))
  const notifications = failures.map(({ source, code, message }) => ({
    level: 'error',
    message: { text: `${code}: ${message}` },
    locations: [{ physicalLocation: physicalLocation(repositoryPath(source)) }],
  }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'pixpress', semanticVersion: version, rules } },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return [`${JSON.stringify(log, null, 2)}\n`]
}

/** An image has no lines, but code scanning shows no result without one. */
function physicalLocation(file: string): object {
  const uri = file.split('/').map(encodeURIComponent).join('/')
  return { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: 1 } }
}
