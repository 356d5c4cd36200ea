import { RULES, withFingerprints } from '../findings.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/** GitLab's Code Quality report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). */
export function gitlab({ findings }: CheckResult, { repositoryPath }: FormatSettings): [string] {
  const issues = withFingerprints(findings).map(({ finding: { rule, source, message }, fingerprint }) => ({
    description: `${RULES[rule].title}: ${message}`,
    check_name: `pixpress/${rule}`,
    fingerprint,
    severity: RULES[rule].severity,
    // Lines are required; an image has none.
    location: { path: repositoryPath(source), lines: { begin: 1 } },
  }))
  return [`${JSON.stringify(issues, null, 2)}\n`]
}
