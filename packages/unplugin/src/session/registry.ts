import { createHash } from 'node:crypto'
import { resolvePluginOptions } from './options/resolve.ts'
import type { Options, ResolvedOptions } from './options/options.ts'
import { createSession } from './index.ts'
import type { Session } from './session.ts'

const REGISTRY = Symbol.for('pixpress.sessions')

/**
 * One session per process for equal root, options and cache: bundlers make plugin instances anew for every environment
 * (client, server), and load this module more than once, while the work is the same.
 * @param targets as for `resolvePluginOptions`, and so `isServed`
 */
export function openSession(
  options: Options,
  bundlerRoot: string,
  targets?: readonly string[],
  isServed?: boolean,
): Session {
  const resolved = resolvePluginOptions(options, bundlerRoot, targets, isServed)
  const registry = ((globalThis as { [REGISTRY]?: Map<string, Session> })[REGISTRY] ??= new Map<string, Session>())
  const key = sessionIdentity(resolved)
  let session = registry.get(key)
  if (session === undefined) {
    session = createSession(resolved, undefined, targets)
    registry.set(key, session)
  }
  return session
}

/**
 * Equal for equal options. Every resolved option takes part, and as API keys are among them, only a hash is given: what
 * is globally reachable must not show them.
 */
export function sessionIdentity(options: ResolvedOptions): string {
  return createHash('sha256').update(JSON.stringify(options, asJson)).digest('hex')
}

const FUNCTIONS = Symbol.for('pixpress.functions')

/** A number for each function: equal texts may do different things. */
function numberOf(given: () => unknown): number {
  const numbers = ((globalThis as { [FUNCTIONS]?: Map<() => unknown, number> })[FUNCTIONS] ??= new Map())
  const number = numbers.get(given) ?? numbers.size
  numbers.set(given, number)
  return number
}

/** JSON has no word for these, and would take all of a kind for equal. */
function asJson(_: string, value: unknown): unknown {
  if (value instanceof RegExp) return { RegExp: String(value) }
  if (value instanceof Map) return { Map: [...value] }
  if (value instanceof URLSearchParams) return { URLSearchParams: String(value) }
  if (typeof value === 'function') return { function: numberOf(value as () => unknown) }
  return value
}
