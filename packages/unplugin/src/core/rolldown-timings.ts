/**
 * Rolldown's options without its warning that plugins take long: a cold build's time goes into images, so that it would
 * come with every one. What the user has set stays.
 * @returns `null` when there is nothing to change
 */
export function withoutTimings<T extends object>(options: T): T | null {
  const checks: object =
    'checks' in options && typeof options.checks === 'object' && options.checks !== null ? options.checks : {}
  if ('pluginTimings' in checks || 'bundlerTimings' in checks) return null
  return { ...options, checks: { ...checks, pluginTimings: false } }
}
