import { PixpressError } from '@pixpress/core'
import type { OptimizeResult, Plan } from '@pixpress/core'
import { promiseOf } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'

/**
 * Refuses to replace a source by a result below the promise, or with more bytes than it may have. That result may be
 * wanted in another folder; in place, the better picture would be lost.
 * @param shown the file's name in errors
 * @throws PixpressError `BELOW_PROMISE`
 */
export function assertMayReplace(result: OptimizeResult, { operations }: Plan, shown: string): void {
  const reason = missedBytes(result, operations) ?? missedPromise(result, operations)
  if (reason === undefined) return
  throw new PixpressError('BELOW_PROMISE', `The file is left as it is. ${reason}`, { file: shown })
}

function missedBytes({ data }: OptimizeResult, { maxBytes }: Plan['operations']): string | undefined {
  if (maxBytes === null || data.length <= maxBytes) return undefined
  const [smallest, most] = [data.length, maxBytes].map((bytes) => formatBytes(bytes))
  return `Nothing is within ${most}: the smallest has ${smallest}. Allow more with --max-bytes, or give --out to have that.`
}

function missedPromise(result: OptimizeResult, operations: Plan['operations']): string | undefined {
  const { kept, score = 100, damaged } = result
  const { maxBytes } = operations
  const promised = promiseOf(result, operations)
  if (kept !== 'output' || promised === undefined || (score >= promised && damaged !== true)) return undefined
  const within = maxBytes === null ? 'The best result' : `The best result within ${formatBytes(maxBytes)}`
  const what =
    score < promised
      ? `scores ${score.toFixed(1)}, below the ${promised} that is promised`
      : 'damages small details or smooth areas'
  const more = maxBytes === null ? '' : 'Allow more with --max-bytes, ask for less with --quality, or '
  return `${within} ${what}. ${more}${more === '' ? 'Give' : 'give'} --out to have it nevertheless.`
}
