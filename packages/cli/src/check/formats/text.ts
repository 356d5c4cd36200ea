import { styleText } from 'node:util'
import { describeWorth, visibleText, worthMost } from '@pixpress/core/report'
import { shrinkingWorth } from '../worth.ts'
import { summaryOf } from './contract.ts'
import type { CheckResult, FormatSettings } from './contract.ts'

/** For a person: a block per image, a line per finding, and what it all comes to, with the step that is worth most. */
export function text(result: CheckResult, { color, compress }: FormatSettings): string[] {
  // Whether there are colours was decided by the stream that is written to, which need not be that of the process.
  const painted = (style: 'red' | 'bold', words: string): string =>
    color ? styleText(style, words, { validateStream: false }) : words
  const lines: string[] = []
  let source: string | undefined
  for (const finding of result.findings) {
    if (finding.source !== source) lines.push(painted('bold', visibleText(finding.source)))
    source = finding.source
    lines.push(`  ${painted('red', finding.rule)}: ${visibleText(finding.message)}`)
  }
  const worth = worthMost([shrinkingWorth(result, compress)])
  const end = worth === undefined ? summaryOf(result) : `${summaryOf(result)}; ${describeWorth(worth)}`
  return [...lines, `pixpress  ${end}`].map((line) => `${line}\n`)
}
