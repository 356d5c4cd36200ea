/**
 * Tells whether a value meets a rule's condition: a string is a prefix, a list holds alternatives, an object has `and`,
 * `or` or `not` (https://webpack.js.org/configuration/module/#condition).
 */
export function matchesCondition(condition: unknown, value: string): boolean {
  if (typeof condition === 'string') return value.startsWith(condition)
  if (typeof condition === 'function') return Boolean((condition as (value: string) => unknown)(value))
  if (condition instanceof RegExp) {
    // A global or sticky expression would go on where its last match ended.
    condition.lastIndex = 0
    return condition.test(value)
  }
  if (Array.isArray(condition)) return condition.some((each) => matchesCondition(each, value))
  if (typeof condition !== 'object' || condition === null) return false
  const { and, or, not } = condition as { and?: readonly unknown[]; or?: readonly unknown[]; not?: unknown }
  return (
    (and === undefined || and.every((each) => matchesCondition(each, value))) &&
    (or === undefined || matchesCondition(or, value)) &&
    (not === undefined || !matchesCondition(not, value))
  )
}
