import { overloaded } from './http-error.ts'
import { allocatePages } from './page-memory.ts'

/** Bytes of the largest body whose place is made before it comes. */
const PLACE = 16_000_000

/** Bytes up to which memory that is made anew costs next to nothing. */
const SMALL = 256_000

/** Milliseconds without an upload after which places are given back to the system. */
const IDLE = 10_000

/** The share of the memory that one account may hold by several uploads. */
const MOST_OF_ONE = 3 / 4

/** The images that requests hold in memory, counted together: many slow uploads must not add up to all memory. */
export interface UploadMemory {
  /**
   * Opens a share that grows as bytes arrive; to be released when the request is over. Several shares of one account
   * leave a quarter of the memory to the others.
   */
  open(account: string): MemoryShare
  /** Bytes held now. */
  readonly used: number
}

/** The share of one request in the memory for uploads. */
export interface MemoryShare {
  /**
   * @throws HttpError `ServiceUnavailable` when the bytes do not fit any more; RangeError for what is no number of
   * bytes, which would make every later sum wrong
   */
  take(bytes: number): void
  /**
   * Where a body of this length can be put, until the share is released; `undefined` for one so large that no memory is
   * set aside before its bytes are there. Holds what others have left there.
   */
  place(length: number): Buffer | undefined
  /** Releases the share, when nobody reads the bytes any more. */
  release(): void
}

/** What the requests of one account hold together. */
interface Holding {
  shares: number
  /** Bytes. */
  used: number
}

/**
 * @param capacity bytes
 * @param kept places of 16 MB that are used again and again: the system takes long over making memory that was never
 * used
 * @param retryAfter milliseconds until an account is expected to have less here. Default: two seconds
 */
export function createUploadMemory(
  capacity: number,
  kept: number,
  retryAfter: (account: string) => number = () => 2000,
): UploadMemory {
  const free: ArrayBuffer[] = []
  let places = 0
  let used = 0
  const accounts = new Map<string, Holding>()
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
    open(account) {
      let share = 0
      const holding = accounts.get(account) ?? { shares: 0, used: 0 }
      accounts.set(account, holding)
      holding.shares++
      let isOpen = true
      let own: ArrayBuffer | undefined
      return {
        take(bytes) {
          if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is no number of bytes.`)
          const most = holding.shares > 1 ? Math.floor(MOST_OF_ONE * capacity) : capacity
          if (used + bytes > capacity || holding.used + bytes > most)
            throw overloaded('Too many uploads are under way.', retryAfter(account))
          used += bytes
          holding.used += bytes
          share += bytes
        },
        place(length) {
          if (length > PLACE) return undefined
          if (length > SMALL) own ??= takePlace()
          return own === undefined ? Buffer.allocUnsafeSlow(length) : Buffer.from(own, 0, length)
        },
        release() {
          used -= share
          holding.used -= share
          share = 0
          if (isOpen && --holding.shares === 0) accounts.delete(account)
          isOpen = false
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
