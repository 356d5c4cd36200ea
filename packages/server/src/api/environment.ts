import type { IncomingMessage, ServerResponse } from 'node:http'

/** What requests carry through the app. */
export interface AppEnv {
  /** Of a real connection; absent where the app is called as a function. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    /** Set once the credentials are known to be right. */
    account?: string
    /** The account's compressions of this month, when a handler has counted. */
    count?: number
    /** Bytes of the body that were read. */
    bytesIn?: number
  }
}
