import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { AppEnv } from './context.ts'
import { HttpError } from './http-error.ts'
import { bodyFailure, onBodyFailure, wantBody } from './incoming.ts'
import { freeMemory } from './page-memory.ts'
import type { MemoryShare } from './upload-memory.ts'

/** Milliseconds without a byte after which an upload is given up. */
const IDLE_TIMEOUT = 30_000

/** Limits on a body, checked while it arrives. */
interface BodyLimits {
  readonly maxBytes: number
  readonly memory: MemoryShare
}

/**
 * Reads the whole body, which is refused while it arrives as soon as it is too large. On a socket the bytes are read
 * from Node's own stream: web streams take several times the processor time.
 * @throws HttpError `InputTooLarge`, `ServiceUnavailable`, or `BadRequest` when it ends too early or stalls
 */
export async function readBody(c: Context<AppEnv>, { maxBytes, memory }: BodyLimits): Promise<Buffer> {
  const declared = Number(c.req.header('content-length') ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const incoming = c.env?.incoming
  // Only the parser of a socket sees to it that no more comes than was announced.
  const body = createCollector(incoming === undefined || declared === 0 ? undefined : memory.place(declared))
  let size = 0
  const take = (chunk: Uint8Array): void => {
    size += chunk.length
    c.set('bytesIn', size)
    if (size > maxBytes) throw tooLarge(maxBytes)
    memory.take(chunk.length)
    body.add(chunk)
  }
  if (incoming !== undefined) await readIncoming(incoming, take)
  else if (c.req.raw.body !== null) for await (const chunk of c.req.raw.body) take(chunk)
  return body.whole()
}

interface Collector {
  add(chunk: Uint8Array): void
  whole(): Buffer
}

/**
 * Puts pieces together. Where there is a place, each is copied into it when it comes: keeping them all until the end
 * costs the garbage collector far more.
 */
function createCollector(place: Buffer | undefined): Collector {
  let size = 0
  if (place !== undefined) {
    return {
      add(chunk) {
        place.set(chunk, size)
        size += chunk.length
        free(chunk)
      },
      whole: () => place.subarray(0, size),
    }
  }
  const chunks: Uint8Array[] = []
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.length
    },
    whole: () => Buffer.concat(chunks, size),
  }
}

/**
 * Gives the memory of a piece back at once, if it is all its own. Left to the garbage collector, 8 MB of pieces make it
 * search the whole heap, again and again.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) freeMemory(buffer)
}

/** Tells from the headers whether a request has a body at all (RFC 9112 section 6). */
export function hasBody(c: Context<AppEnv>): boolean {
  if (c.env?.incoming === undefined) return c.req.raw.body !== null
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0
}

function readIncoming(incoming: IncomingMessage, take: (chunk: Uint8Array) => void): Promise<void> {
  const failure = bodyFailure(incoming)
  if (failure !== undefined) return Promise.reject(failure)
  return new Promise((resolve, reject) => {
    const idle = setTimeout(stalled, IDLE_TIMEOUT)
    const unhook = onBodyFailure(incoming, fail)
    incoming.on('data', onData)
    incoming.once('end', onEnd)
    incoming.once('close', onClose)
    incoming.once('error', onClose)
    wantBody(incoming)

    function settle(): void {
      clearTimeout(idle)
      unhook()
      incoming.off('data', onData)
      incoming.off('end', onEnd)
      incoming.off('close', onClose)
      // An error after this (the client hangs up while it is refused) concerns nobody, but must not go unheard.
      incoming.pause()
    }
    function fail(error: Error): void {
      settle()
      reject(error)
    }
    function onData(chunk: Buffer): void {
      idle.refresh()
      try {
        take(chunk)
      } catch (error) {
        fail(error as Error)
      }
    }
    function onEnd(): void {
      settle()
      resolve()
    }
    function onClose(): void {
      fail(new HttpError('BadRequest', 'The body ended before its announced length.'))
    }
    function stalled(): void {
      fail(new HttpError('BadRequest', `Nothing arrived for ${IDLE_TIMEOUT / 1000} seconds.`))
    }
  })
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError('InputTooLarge', `The body has more bytes than the limit of ${maxBytes}.`)
}
