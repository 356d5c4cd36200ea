import type { IncomingMessage } from 'node:http'

/**
 * Messages about one request between the HTTP server and the reader of its body: a client may wait for `100 Continue`,
 * and the parser may find the rest of a body malformed.
 */
interface Hooks {
  sendContinue?: () => void
  failBody?: (error: Error) => void
  /** The parser's error from before anybody read the body: both may come in one packet with the headers. */
  failure?: Error
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

/** Announces that a body is going to be read. */
export function wantBody(incoming: IncomingMessage): void {
  const known = hooksOf(incoming)
  known.sendContinue?.()
  delete known.sendContinue
}

/** Returns the error that the parser has found in a body so far. */
export function bodyFailure(incoming: IncomingMessage): Error | undefined {
  return hooksOf(incoming).failure
}

/** Tells the reader of the body what the parser finds from now on. Returns a function that ends that. */
export function onBodyFailure(incoming: IncomingMessage, fail: (error: Error) => void): () => void {
  const known = hooksOf(incoming)
  known.failBody = fail
  return () => {
    delete known.failBody
  }
}

/** Tells whoever reads the body, now or later. */
export function failBody(incoming: IncomingMessage, error: Error): void {
  const known = hooksOf(incoming)
  known.failure ??= error
  known.failBody?.(error)
}
