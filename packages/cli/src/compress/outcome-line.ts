import type { KeptReason } from '@pixpress/core'
import { factsOf } from '@pixpress/core/internal'
import { formatBytes, formatChange } from '@pixpress/core/report'
import type { FileOutcome } from './compress-file.ts'

/** Why a picture keeps its own pixels. */
const REASONS: Readonly<Record<KeptReason, string>> = {
  finished: 'an earlier run made it',
  smallest: 'nothing smaller keeps the promise',
  'second-loss': 'a new encoding would lose detail a second time',
  guarded: 'a smaller result would show damage',
  unsupported: 'its kind is not worked on',
}

/** What became of one image: `a.jpg  120.4 kB → 48.1 kB  -60%  WebP, score 81.2, written`. */
export function outcomeLine(shown: string, { result, source, written }: FileOutcome): string {
  const { data, info, score, reason, cached } = result
  const sizes = `${formatBytes(source.length)} → ${formatBytes(data.length)}  ${formatChange(source.length, data.length)}`
  const facts = [
    factsOf(info.type).label,
    ...(score === undefined ? [] : [`score ${score === 100 ? 'exact' : score.toFixed(1)}`]),
    ...(reason === undefined ? [] : [REASONS[reason]]),
    ...(cached ? ['from the cache'] : []),
    written ? 'written' : 'left',
  ]
  return `${shown}  ${sizes}  ${facts.join(', ')}`
}
