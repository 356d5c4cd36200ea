import { factsOf } from '@pixpress/core/internal'
import { describeWhy, formatBytes, formatChange, visibleText, whyOfResult } from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import type { FileOutcome } from './compress-file.ts'

/**
 * Returns one line about the outcome of an image, and why it is no smaller: `a.jpg  120.4 kB → 48.1 kB  -60%  WebP,
 * score 81.2, written`.
 */
export function outcomeLine(shown: string, { result, source, written }: FileOutcome): string {
  const { data, info, score, cached } = result
  const why = whyOfResult(result)
  const sizes = `${formatBytes(source.length)} → ${formatBytes(data.length)}  ${formatChange(source.length, data.length)}`
  const facts = [
    factsOf(info.type).label,
    ...(score === undefined ? [] : [`score ${score === 100 ? 'exact' : score.toFixed(1)}`]),
    ...(cached ? ['from the cache'] : []),
    written ? 'written' : 'left',
  ]
  const reason = why === undefined ? '' : `. ${describeWhy(why, data.length)}`
  return `${shown}  ${sizes}  ${facts.join(', ')}${reason}`
}

/** Lines such as `hero.jpg  https://…`, of images that are in a store. */
export const addressLines = ({ images }: Pick<Report, 'images'>): string =>
  images
    .filter(({ address }) => address !== undefined)
    .map(({ source, address }) => `${visibleText(`${source}  ${address}`)}\n`)
    .join('')
