import { RULES } from '../findings.ts'
import { summaryOf } from '../result.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/**
 * Workflow commands, which GitHub Actions shows at the files of a change
 * (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions). It shows ten of a step, and keeps all in
 * the log.
 */
export function github(result: CheckResult, { repositoryPath }: FormatSettings): [string] {
  const commands = result.findings.map(({ rule, source, message }) => {
    const title = `${RULES[rule].title} (${rule})`
    return `::error file=${property(repositoryPath(source))},title=${property(title)}::${data(message)}\n`
  })
  return [`${commands.join('')}pixpress  ${summaryOf(result)}\n`]
}

/** Escapes text after `::` like actions/toolkit (packages/core/src/command.ts). */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** In properties, what separates them as well. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
