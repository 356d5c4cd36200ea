import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { HttpError } from './http-error.ts'

/** The account and terms of a request's key, with the server's defaults where the key has nothing of its own. */
export interface Access {
  readonly account: string
  /** Compressions per month; `Infinity` for no limit. */
  readonly monthlyLimit: number
  /** `undefined`: any number of requests. */
  readonly rate: { readonly interval: number; readonly burst: number } | undefined
  /** `undefined`: everything is allowed. */
  readonly operations: readonly string[] | undefined
}

/** Values that requests carry through the app. */
export interface AppEnv {
  /** The objects of a real connection; absent where the app is called as a function. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    /** The account, set once the credentials are known to be right. */
    account?: string
    /** Set together with the account. */
    access?: Access
    /** The account's compressions of this month, when a handler has counted. */
    count?: number
    /** Bytes of the body that were read. */
    bytesIn?: number
  }
}

/**
 * Refuses a request whose client has hung up. It is called before work begins and before it is counted: that client
 * will try again, and must not pay twice.
 * @throws HttpError which nobody will read
 */
export function assertClientWaits(c: Context<AppEnv>): void {
  if (c.env?.incoming?.socket.destroyed === true) throw new HttpError('BadRequest', 'The client has hung up.')
}
