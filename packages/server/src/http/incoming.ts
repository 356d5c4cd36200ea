import type { IncomingMessage } from 'node:http'

/**
 * What the HTTP server and the reader of a body tell each other about one request: a client may wait for `100 Continue`,
 * and the parser may find the rest of a body malformed.
 */
interface Hooks {
  sendContinue?: () => void
  failBody?: (error: Error) => void
}

const hooks = new WeakMap<IncomingMessage, Hooks>()

const hooksOf = (incoming: IncomingMessage): Hooks => {
  const known = hooks.get(incoming) ?? {}
  hooks.set(incoming, known)
  return known
}

/** The client has sent its headers only and waits: `send` asks for the body. */
export function onBodyWanted(incoming: IncomingMessage, send: () => void): void {
  hooksOf(incoming).sendContinue = send
}

/** To be called before a body is read. */
export function wantBody(incoming: IncomingMessage): void {
  const known = hooksOf(incoming)
  known.sendContinue?.()
  delete known.sendContinue
}

/** The reader of the body learns of what the parser finds. Returns how to end that. */
export function onBodyFailure(incoming: IncomingMessage, fail: (error: Error) => void): () => void {
  const known = hooksOf(incoming)
  known.failBody = fail
  return () => {
    delete known.failBody
  }
}

/** Whether someone was reading the body and has been told. */
export function failBody(incoming: IncomingMessage, error: Error): boolean {
  const fail = hooksOf(incoming).failBody
  fail?.(error)
  return fail !== undefined
}
