/**
 * Bytes of WebAssembly memory that all instances which wait for the next picture may have together, in each thread.
 * Instances beyond are made anew, whose memory the system clears and the garbage collector looks for: a bound of 32 MiB
 * took 3 % more processor time for 66 pictures in two threads, and 10 MB less at their peak; one of 96 MiB took 0.5 %
 * less, and 40 MB more.
 */
export const MOST_IDLE_BYTES: number = 64 * 2 ** 20

/**
 * Bytes of instances that were let go of from which on the garbage collector is called. Left to itself, it comes when
 * the next large picture is half done, with the memory of both.
 */
const MOST_DROPPED_BYTES = 32 * 2 ** 20

/** Instances of one module that wait for the next picture. Memory of WebAssembly grows and never shrinks. */
export interface IdleInstances<Instance> {
  /** Takes the smallest instance that has so many bytes, else the largest one; `undefined` if there is none. */
  take(bytes?: number): Instance | undefined
  /**
   * Gives an instance back. The largest ones of this thread, of whatever module, are let go of until the others have no
   * more than `MOST_IDLE_BYTES` together.
   */
  give(instance: Instance): void
}

/** An instance that waits in a thread, of whatever module: its bytes, and how to let go of it. */
interface Waiting {
  readonly bytes: number
  drop(): void
}

const waiting = new Set<Waiting>()
let dropped = 0

/** Bytes of WebAssembly memory of the instances of this thread that wait for the next picture. */
export const idleBytes = (): number => [...waiting].reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Creates the place where instances of a module wait.
 * @param bytesOf tells how many bytes of memory an instance has
 */
export function createIdleInstances<Instance>(bytesOf: (instance: Instance) => number): IdleInstances<Instance> {
  const held = new Map<Instance, Waiting>()
  const remove = (instance: Instance): void => {
    waiting.delete(held.get(instance)!)
    held.delete(instance)
  }
  return {
    take(bytes = 0) {
      const all = [...held.keys()].sort((one, other) => bytesOf(one) - bytesOf(other))
      const taken = all.find((each) => bytesOf(each) >= bytes) ?? all.at(-1)
      if (taken !== undefined) remove(taken)
      return taken
    },
    give(instance) {
      if (held.has(instance)) return
      const entry: Waiting = { bytes: bytesOf(instance), drop: () => remove(instance) }
      held.set(instance, entry)
      waiting.add(entry)
      keepWithin(MOST_IDLE_BYTES)
    },
  }
}

/** Bytes that a picture in work takes for each pixel, beside instances: its pixels, a result's, and an encoder's. */
const BYTES_PER_PIXEL = 20

/**
 * Lets go of instances until those that wait and a picture in work take no more than `MOST_IDLE_BYTES` together. A
 * picture that takes more alone begins with the garbage of all pictures before collected.
 */
export function leaveRoomFor({ width, height }: { readonly width: number; readonly height: number }): void {
  const room = MOST_IDLE_BYTES - width * height * BYTES_PER_PIXEL
  keepWithin(room)
  if (room < 0) dropped = Math.max(dropped, MOST_DROPPED_BYTES)
  freeDropped()
}

function keepWithin(most: number): void {
  const largestFirst = [...waiting].sort((one, other) => other.bytes - one.bytes)
  let sum = idleBytes()
  for (const entry of largestFirst) {
    if (sum <= most) return
    entry.drop()
    sum -= entry.bytes
    dropped += entry.bytes
  }
}

/**
 * Frees the instances that were let go of, if they are large and the process gives its code a way to do so: Node's flag
 * `--expose-gc`. It is called between two pictures, and before a large one takes its memory.
 * @returns whether the garbage collector was called
 */
export function freeDropped(collect: (() => void) | undefined = (globalThis as { gc?: () => void }).gc): boolean {
  if (dropped < MOST_DROPPED_BYTES || collect === undefined) return false
  dropped = 0
  collect()
  return true
}
