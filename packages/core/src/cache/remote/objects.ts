import type { Attempt } from '../../net/retry.ts'

/**
 * A place for signed entries that other machines reach. Every method tries once, never rejects, and says of a failure
 * whether another try may meet with more luck.
 */
export interface RemoteObjects {
  /** The place as messages call it, without credentials. */
  readonly place: string
  /** Returns `undefined` where there is none of the name. */
  get(name: string, signal: AbortSignal): Promise<Attempt<Uint8Array | undefined>>
  has(name: string, signal: AbortSignal): Promise<Attempt<boolean>>
  /** Stores an object whole or not at all; one that is there already stays as it is. */
  create(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<Attempt<'created' | 'present'>>
  /**
   * Returns some of the keys of a folder, each with 64 hexadecimal digits.
   * @param from `next` of the page before
   */
  list(folder: string, from: string | undefined, signal: AbortSignal): Promise<Attempt<KeyPage>>
}

/** A part of the list of keys. */
export interface KeyPage {
  readonly keys: readonly string[]
  /** Where the next page begins; `undefined` after the last. */
  readonly next: string | undefined
}
