import { PixpressError } from '../base/errors.ts'
import { resolveOperations } from '../operations/index.ts'
import { visibleText } from '../base/visible-text.ts'
import type { Plan } from '../plan/plan.ts'

/** The results that a frozen cache was asked for and lacks. */
export interface MissingResults {
  /**
   * Takes note of it.
   * @param what what was to be made of the image: `image`, `placeholder`, …
   * @returns the error to be thrown, about this one alone
   */
  note(plan: Plan, what: string): PixpressError
  /** @throws PixpressError `NOT_CACHED` with a line for each that was noted since the last call */
  refuse(): void
}

/** Creates an empty list. */
export function createMissingResults(): MissingResults {
  let lines = new Set<string>()
  return {
    note(plan, what) {
      const { file = 'an image' } = plan
      const asked = `${what}${operationsInWords(plan)}`
      lines.add(visibleText(`  ${file}: ${asked}`))
      const message = `The cache has no result for it (${asked}), and is frozen: nothing is encoded.`
      return new PixpressError('NOT_CACHED', message, { file: plan.file })
    },
    refuse() {
      if (lines.size === 0) return
      const missing = [...lines].sort()
      lines = new Set()
      const results = missing.length === 1 ? 'One result is' : `${missing.length} results are`
      throw new PixpressError(
        'NOT_CACHED',
        `${results} missing in the cache, which is frozen, so that nothing is encoded:\n${missing.join('\n')}`,
      )
    },
  }
}

/**
 * Returns the operations that are not the usual ones, as they are resolved: `, resize {"method":"scale","width":640}`.
 */
function operationsInWords({ operations, types, type }: Plan): string {
  const usual: Readonly<Record<string, unknown>> = { ...resolveOperations(undefined), types: null, orInput: false }
  const asked = Object.entries(operations).filter(
    ([key, value]) => key !== 'types' && key !== 'orInput' && JSON.stringify(value) !== JSON.stringify(usual[key]),
  )
  const converted = types.length === 1 && types[0] === type ? [] : [` as ${types.join(' or ')}`]
  return [...converted, ...asked.map(([key, value]) => `, ${key} ${JSON.stringify(value)}`)].join('')
}
