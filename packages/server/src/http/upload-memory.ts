import { unavailable } from './http-error.ts'

/** The images that requests hold in memory, counted together: many slow uploads must not add up to all memory. */
export interface UploadMemory {
  /** A share that grows as bytes arrive; to be released when the request is over. */
  open(): MemoryShare
  /** Bytes held now. */
  readonly used: number
}

export interface MemoryShare {
  /** @throws HttpError `ServiceUnavailable` when the bytes do not fit any more */
  take(bytes: number): void
  release(): void
}

/** @param capacity bytes */
export function createUploadMemory(capacity: number): UploadMemory {
  let used = 0
  return {
    open() {
      let share = 0
      return {
        take(bytes) {
          if (used + bytes > capacity) throw unavailable('Too many uploads are under way. Try again later.')
          used += bytes
          share += bytes
        },
        release() {
          used -= share
          share = 0
        },
      }
    },
    get used() {
      return used
    },
  }
}
