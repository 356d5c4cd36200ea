import { unavailable } from './http-error.ts'
import { allocatePages } from './page-memory.ts'

/** Bytes of the largest body whose place is made before it comes. */
const PLACE = 16_000_000

/** Bytes up to which memory that is made anew costs next to nothing. */
const SMALL = 256_000

/** Milliseconds without an upload after which places are given back to the system. */
const IDLE = 10_000

/** The images that requests hold in memory, counted together: many slow uploads must not add up to all memory. */
export interface UploadMemory {
  /** Opens a share that grows as bytes arrive; to be released when the request is over. */
  open(): MemoryShare
  /** Bytes held now. */
  readonly used: number
}

/** The share of one request in the memory for uploads. */
export interface MemoryShare {
  /** @throws HttpError `ServiceUnavailable` when the bytes do not fit any more */
  take(bytes: number): void
  /**
   * Where a body of this length can be put, until the share is released; `undefined` for one so large that no memory is
   * set aside before its bytes are there. Holds what others have left there.
   */
  place(length: number): Buffer | undefined
  /** Releases the share, when nobody reads the bytes any more. */
  release(): void
}

/**
 * @param capacity bytes
 * @param kept places of 16 MB that are used again and again: the system takes long over making memory that was never
 * used
 */
export function createUploadMemory(capacity: number, kept: number): UploadMemory {
  const free: ArrayBuffer[] = []
  let places = 0
  let used = 0
  let idle: NodeJS.Timeout | undefined

  function takePlace(): ArrayBuffer | undefined {
    clearTimeout(idle)
    const place = free.pop()
    if (place !== undefined || places === kept) return place
    const made = allocatePages(PLACE)
    if (made !== undefined) places++
    return made
  }

  function returnPlace(place: ArrayBuffer): void {
    free.push(place)
    clearTimeout(idle)
    idle = setTimeout(() => {
      places -= free.length
      free.length = 0
    }, IDLE)
    idle.unref()
  }

  return {
    open() {
      let share = 0
      let own: ArrayBuffer | undefined
      return {
        take(bytes) {
          if (used + bytes > capacity) throw unavailable('Too many uploads are under way. Try again later.')
          used += bytes
          share += bytes
        },
        place(length) {
          if (length > PLACE) return undefined
          if (length > SMALL) own ??= takePlace()
          return own === undefined ? Buffer.allocUnsafeSlow(length) : Buffer.from(own, 0, length)
        },
        release() {
          used -= share
          share = 0
          if (own !== undefined) returnPlace(own)
          own = undefined
        },
      }
    },
    get used() {
      return used
    },
  }
}
