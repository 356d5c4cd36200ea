import { styleText } from 'node:util'
import { describeWorth, visibleText, worthMost } from '@pixpress/core/report'
import { isKept, keptBytes, keptGroups, keptSentence } from '../kept.ts'
import { shrinkingWorth } from '../worth.ts'
import { amountOf } from '../../base/output.ts'
import { summaryOf } from '../result.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/**
 * Writes text for a person: a block per image, a line per finding, the reasons why other images are no smaller, and a
 * summary with the step that saves most.
 */
export function textLines(result: CheckResult, { color, verbose, compress }: FormatSettings): string[] {
  // The stream that is written to decides about colours. It need not be that of the process.
  const painted = (style: 'red' | 'bold', words: string): string =>
    color ? styleText(style, words, { validateStream: false }) : words
  const lines: string[] = []
  let source: string | undefined
  for (const finding of result.findings) {
    if (finding.source !== source) lines.push(painted('bold', visibleText(finding.source)))
    source = finding.source
    lines.push(`  ${painted('red', finding.rule)}: ${visibleText(finding.message)}`)
  }
  const kept = verbose ? keptLines(result) : groupLines(result)
  if (kept.length > 0) lines.push(painted('bold', 'As small as they get'), ...kept.map((line) => `  ${line}`))
  const worth = worthMost([shrinkingWorth(result, compress)])
  const end = worth === undefined ? summaryOf(result) : `${summaryOf(result)}; ${describeWorth(worth)}`
  return [...lines, `pixpress  ${end}`].map((line) => `${line}\n`)
}

/** Images that have a reason in common have one line together. */
const groupLines = ({ checked }: CheckResult): string[] =>
  keptGroups(checked).map((group) => {
    const { images, sentence } = group
    const which = images.length === 1 ? visibleText(images[0]!.source) : amountOf(images.length, 'image')
    return `${which}, ${keptBytes(group)}: ${sentence}`
  })

const keptLines = ({ checked }: CheckResult): string[] =>
  [...checked]
    .filter(isKept)
    .map((image) => `${visibleText(image.source)}, ${keptBytes(image)}: ${keptSentence(image)}`)
