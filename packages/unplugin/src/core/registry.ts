import { createHash } from 'node:crypto'
import { resolveOptions } from './options.ts'
import type { Options } from './options.ts'
import { createSession } from './create-session.ts'
import type { Session } from './session.ts'

const REGISTRY = Symbol.for('pixpress.sessions')

/**
 * One session per process for equal root, options and cache: bundlers make plugin instances anew for every environment
 * (client, server), and load this module more than once, while the work is the same.
 */
export function openSession(options: Options, bundlerRoot: string): Session {
  const resolved = resolveOptions(options, bundlerRoot)
  const registry = ((globalThis as { [REGISTRY]?: Map<string, Session> })[REGISTRY] ??= new Map<string, Session>())
  const text = JSON.stringify(resolved, (_, value: unknown) => (value instanceof RegExp ? value.toString() : value))
  // API keys are among the options: what is globally reachable does not show them.
  const key = createHash('sha256').update(text).digest('hex')
  let session = registry.get(key)
  if (session === undefined) {
    session = createSession(resolved)
    registry.set(key, session)
  }
  return session
}
