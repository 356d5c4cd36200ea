import { createHash } from 'node:crypto'
import { resolveOptions } from './options.ts'
import type { Options, ResolvedOptions } from './options.ts'
import { createSession } from './create-session.ts'
import { recorded } from './seen-images.ts'
import type { Session } from './session.ts'

const REGISTRY = Symbol.for('pixpress.sessions')

/**
 * One session per process for equal root, options and cache: bundlers make plugin instances anew for every environment
 * (client, server), and load this module more than once, while the work is the same.
 * @param targets as for `resolveOptions`
 */
export function openSession(options: Options, bundlerRoot: string, targets?: readonly string[]): Session {
  const resolved = resolveOptions(options, bundlerRoot, targets)
  const registry = ((globalThis as { [REGISTRY]?: Map<string, Session> })[REGISTRY] ??= new Map<string, Session>())
  const key = identityOf(resolved)
  let session = registry.get(key)
  if (session === undefined) {
    session = recorded(createSession(resolved, undefined, targets))
    registry.set(key, session)
  }
  return session
}

/**
 * Equal for equal options. Every resolved option takes part, and as API keys are among them, only a hash is given: what is
 * globally reachable must not show them.
 */
export function identityOf(options: ResolvedOptions): string {
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
