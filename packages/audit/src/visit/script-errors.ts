import type { Connection } from '../browser/connection.ts'

/** Characters of a message that are told: a minified script may be all of its only line. */
const LONGEST = 200

/** The errors of a page's scripts that nothing has caught. */
export interface ScriptErrors {
  /** The first line of each, once. */
  all(): readonly string[]
  stop(): void
}

/** An error as the browser reports it: `exception` may be anything that a script throws. */
interface Thrown {
  readonly text: string
  readonly exception?: { readonly description?: string; readonly value?: unknown }
}

/**
 * Listens to a page for what its scripts throw. `Runtime` has to be enabled.
 * @param origin of the page, which messages may name and whose port differs from run to run
 */
export function watchScriptErrors(connection: Connection, session: string, origin: string): ScriptErrors {
  const messages = new Set<string>()
  const stop = connection.listen(session, (method, params) => {
    if (method !== 'Runtime.exceptionThrown') return
    messages.add(messageOf(params['exceptionDetails'] as Thrown).replaceAll(origin, ''))
  })
  return { all: () => [...messages], stop }
}

/** The first line of what was thrown, without its full stop. */
export function messageOf({ text, exception }: Thrown): string {
  const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
  const [line = ''] = said.trim().split('\n')
  return (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line).trim().replace(/\.$/, '')
}
