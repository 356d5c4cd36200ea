import type { LookupFunction, Socket } from 'node:net'

/**
 * Creates a resolver for `lookup` of a socket: it refuses a name if one of its addresses is not allowed. The socket
 * dials the returned address, so there is no gap between check and use. Sockets never ask it about literal addresses.
 * @param refusal the error that a refused name fails with, and a name that does not exist
 */
export function createGuardedLookup(
  lookup: LookupFunction,
  allows: (address: string) => boolean,
  refusal: (cause?: unknown) => Error,
): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(refusal(error), '', 0)
      const addresses = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }]
      const [first] = addresses
      if (first === undefined || addresses.some(({ address }) => !allows(address))) return callback(refusal(), '', 0)
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}

/** Checks the address that the connection was really made to, which is the last word. */
export function guardSocket(socket: Socket, allows: (address: string) => boolean, refusal: () => Error): void {
  socket.once('connect', () => {
    if (!allows(socket.remoteAddress ?? '')) socket.destroy(refusal())
  })
}
