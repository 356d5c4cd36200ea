/**
 * The rate limit of an account: `burst` requests at once, refilled at an even pace of one per `interval` milliseconds.
 */
export interface RateSettings {
  /** Milliseconds in which one more request becomes possible; may be a fraction. */
  readonly interval: number
  /** Requests that are possible at once after a pause; at least 1. */
  readonly burst: number
}

/** The limiter's answer to one request. */
export type RateDecision = { readonly allowed: true } | { readonly allowed: false; readonly retryAfter: number }

/**
 * Requests per account by the generic cell rate algorithm (ITU-T I.371): no windows, so never more than `burst` plus
 * what the elapsed time allows. `retryAfter` is in milliseconds, above 0. A refused request costs nothing.
 */
export interface RateLimiter {
  /** @param rate that holds for this request; `undefined` allows it, whatever came before */
  take(account: string, rate: RateSettings | undefined): Promise<RateDecision>
}
