import { UsageError } from '@pixpress/core/internal'

/** `10`, `2.5`, `10%`, as percent. @throws UsageError unless it is from 0 to 100 */
export function percentOf(text: string, flag: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?) ?%?$/.exec(text) ?? []
  const percent = Number(digits)
  if (percent >= 0 && percent <= 100) return percent
  throw new UsageError(`Expected percent from 0 to 100 for '--${flag}' but received '${text}'.`)
}
