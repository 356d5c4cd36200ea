import type { Readable, Writable } from 'node:stream'

/** Parameters of an event of the browser. */
export type EventParams = Readonly<Record<string, unknown>>

/** The DevTools protocol over a pair of pipes: messages of JSON, each ended by a NUL. */
export interface Connection {
  /**
   * @param session that of a page; `undefined`: the browser itself
   * @returns the browser's answer
   * @throws Error when the browser refuses, or has ended
   */
  send(method: string, params?: object, session?: string): Promise<Readonly<Record<string, unknown>>>
  /** Calls the listener for every event of a session, until the returned function is called. */
  listen(session: string, listener: (method: string, params: EventParams) => void): () => void
  /** Refuses everything that waits, and everything to come. */
  end(reason: string): void
}

interface Waiting {
  resolve(answer: Readonly<Record<string, unknown>>): void
  reject(error: Error): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: EventParams
  readonly sessionId?: string
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

/** Speaks the DevTools protocol with a browser that was started with `--remote-debugging-pipe`. */
export function connect(input: Writable, output: Readable): Connection {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, Set<(method: string, params: EventParams) => void>>()
  let last = 0
  let ended: string | undefined
  let pieces: Buffer[] = []

  output.on('data', (chunk: Buffer) => {
    let from = 0
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
      pieces.push(chunk.subarray(from, at))
      receive(JSON.parse(Buffer.concat(pieces).toString('utf8')) as Message)
      pieces = []
      from = at + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  })
  // A browser that ends closes its side while something may still be written.
  input.on('error', () => end('the browser has ended'))
  output.on('error', () => end('the browser has ended'))
  output.on('close', () => end('the browser has ended'))

  function receive({ id, method, params = {}, sessionId = '', result = {}, error }: Message): void {
    if (id === undefined) {
      if (method !== undefined) for (const listener of listeners.get(sessionId) ?? []) listener(method, params)
      return
    }
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(result)
    else one?.reject(new Error(error.message))
  }

  function end(reason: string): void {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(new Error(ended))
    waiting.clear()
  }

  return {
    send(method, params = {}, session) {
      if (ended !== undefined) return Promise.reject(new Error(ended))
      const id = ++last
      const answer = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      })
      input.write(`${JSON.stringify({ id, method, params, ...(session !== undefined && { sessionId: session }) })}\0`)
      return answer
    },
    listen(session, listener) {
      const all = listeners.get(session) ?? new Set()
      listeners.set(session, all.add(listener))
      return () => void all.delete(listener)
    },
    end,
  }
}
