import { overloaded } from './http-error.ts'
import { allocatePages, freeMemory } from './page-memory.ts'

/** Bytes of the largest body whose place is made before it comes. */
const PLACE = 16_000_000

/** Bytes up to which memory that is made anew costs next to nothing. */
const SMALL = 256_000

/** Milliseconds without an upload after which places are given back to the system. */
const IDLE = 10_000

/** The share of the memory from which on images that wait are not held: 31 MB of 500. */
const TIGHT = 1 / 16

/** The share of the memory that one account may hold by several uploads. */
const MOST_OF_ONE = 3 / 4

/** The images that requests hold in memory, counted together: many slow uploads must not add up to all memory. */
export interface UploadMemory {
  /**
   * Opens a share that grows as bytes arrive; to be released when the request is over. Several shares of one account
   * leave a quarter of the memory to the others.
   */
  open(account: string): MemoryShare
  /** So much is held that images which only wait for their turn had better be where outputs are. */
  readonly isTight: boolean
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
  /** Counts bytes that have their turn, and are not refused any more. @throws RangeError */
  takeAnyway(bytes: number): void
  /**
   * Where a body of this length can be put, until the share is released; `undefined` for one so large that no memory is
   * set aside before its bytes are there. Holds what others have left there.
   */
  place(length: number): Buffer | undefined
  /** Gives its bytes back, when nobody reads them any more. Others may be taken. */
  letGo(): void
  /** Releases the share, when nobody reads the bytes any more. */
  release(): void
}

/** The requests of one account and the bytes that they hold together. */
interface Holding {
  shares: number
  used: number
}

/** The bytes of one request, and the place that it has for them. */
interface Bytes {
  used: number
  own: ArrayBuffer | undefined
  /** Memory of its own, where there was no place. */
  loose: ArrayBuffer | undefined
}

interface Places {
  /** `undefined` where all are taken. */
  take(): ArrayBuffer | undefined
  give(place: ArrayBuffer): void
}

/** Keeps so many places that are used again and again, until none was used for a while. */
function createPlaces(kept: number): Places {
  const free: ArrayBuffer[] = []
  let places = 0
  let idle: NodeJS.Timeout | undefined
  return {
    take() {
      clearTimeout(idle)
      const place = free.pop()
      if (place !== undefined || places === kept) return place
      const made = allocatePages(PLACE)
      if (made !== undefined) places++
      return made
    },
    give(place) {
      free.push(place)
      clearTimeout(idle)
      idle = setTimeout(() => {
        places -= free.length
        free.length = 0
      }, IDLE)
      idle.unref()
    },
  }
}

/** Adds bytes to sums of them. @throws RangeError */
function count(sums: readonly { used: number }[], bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is no number of bytes.`)
  for (const sum of sums) sum.used += bytes
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
  const places = createPlaces(kept)
  const total = { used: 0 }
  const accounts = new Map<string, Holding>()

  function letGo(holding: Holding, share: Bytes): void {
    total.used -= share.used
    holding.used -= share.used
    share.used = 0
    if (share.own !== undefined) places.give(share.own)
    share.own = undefined
    // Left to the garbage collector, the uploads of a burst stay for long after all of them are where outputs are.
    if (share.loose !== undefined) freeMemory(share.loose)
    share.loose = undefined
  }

  function open(account: string): MemoryShare {
    const share: Bytes = { used: 0, own: undefined, loose: undefined }
    const holding = accounts.get(account) ?? { shares: 0, used: 0 }
    accounts.set(account, holding)
    holding.shares++
    let isOpen = true
    return {
      take(bytes) {
        const most = holding.shares > 1 ? Math.floor(MOST_OF_ONE * capacity) : capacity
        if (total.used + bytes > capacity || holding.used + bytes > most)
          throw overloaded('Too many uploads are under way.', retryAfter(account))
        count([total, holding, share], bytes)
      },
      takeAnyway: (bytes) => count([total, holding, share], bytes),
      place(length) {
        if (length > PLACE) return undefined
        if (length > SMALL) share.own ??= places.take()
        if (share.own !== undefined) return Buffer.from(share.own, 0, length)
        const loose = Buffer.allocUnsafeSlow(length)
        share.loose = loose.buffer
        return loose
      },
      letGo: () => letGo(holding, share),
      release() {
        letGo(holding, share)
        if (isOpen && --holding.shares === 0) accounts.delete(account)
        isOpen = false
      },
    }
  }

  return {
    open,
    get used() {
      return total.used
    },
    get isTight() {
      return total.used > TIGHT * capacity
    },
  }
}
