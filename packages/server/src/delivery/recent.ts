/** Values by keys, of which those used least recently go where there are too many. */
export interface Recent<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

/** The part of the bound that one value may take: a large one would push out hundreds of small ones. */
const LARGEST = 8

/**
 * Keeps values in memory.
 * @param bound of the sum of all sizes
 * @param sizeOf the size of a value; one above an eighth of the bound is not kept
 */
export function createRecent<T>(bound: number, sizeOf: (value: T) => number): Recent<T> {
  // A map has its keys in the order in which they came: those used last are put at its end again.
  const values = new Map<string, T>()
  let total = 0

  function remove(key: string): void {
    const value = values.get(key)
    if (value === undefined) return
    values.delete(key)
    total -= sizeOf(value)
  }

  return {
    get(key) {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key, value) {
      remove(key)
      const size = sizeOf(value)
      if (size > bound / LARGEST) return
      values.set(key, value)
      total += size
      for (const oldest of values.keys()) {
        if (total <= bound) break
        remove(oldest)
      }
    },
  }
}
