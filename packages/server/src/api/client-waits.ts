import type { Context } from 'hono'
import { HttpError } from '../http/http-error.ts'
import type { AppEnv } from './environment.ts'

/**
 * To be asked before work begins and before it is counted: a client that has hung up will try again, and must not pay twice.
 * @throws HttpError which nobody will read
 */
export function assertClientWaits(c: Context<AppEnv>): void {
  if (c.env?.incoming?.socket.destroyed === true) throw new HttpError('BadRequest', 'The client has hung up.')
}
