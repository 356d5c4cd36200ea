import { setTimeout as delay } from 'node:timers/promises'

/** The outcome of one try. */
export type Attempt<T> =
  | { readonly value: T }
  /** `passing`: whether the next try may not meet it. */
  | { readonly failure: unknown; readonly passing: boolean }

/** The number and spacing of further tries. */
export interface RetryOptions {
  /** Milliseconds before each further try; and so how many there are. */
  readonly waits: readonly number[]
  /** Makes each wait up to half shorter or longer, so that many machines do not try at the same moment. */
  readonly scatter?: boolean
  /** Ends a wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Tries until a try succeeds, fails for good, or was the last.
 * @throws the failure of the last try; the signal's `AbortError` when it ends a wait
 */
export async function withRetries<T>(
  attempt: () => Promise<Attempt<T>>,
  { waits, scatter = false, signal }: RetryOptions,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    const outcome = await attempt()
    if ('value' in outcome) return outcome.value
    const wait = waits[tried]
    if (!outcome.passing || wait === undefined) throw outcome.failure
    const factor = scatter ? 0.5 + Math.random() : 1
    await delay(wait * factor, undefined, signal === undefined ? {} : { signal })
  }
}

/** Tells whether an HTTP status may be another one soon: the server's own failures, and too many requests. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || status === 429
}
