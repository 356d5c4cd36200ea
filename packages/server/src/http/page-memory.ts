/** Bytes of a memory page, and a multiple of every common disk's block. */
const PAGE = 4096

/** Bytes in which WebAssembly's memory is measured. */
const WASM_PAGE = 65_536

/** TypeScript has WebAssembly in the DOM's library only. */
interface WebAssemblyApi {
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

const pages = new WeakSet<ArrayBufferLike>()

/**
 * Allocates memory that begins at the start of a page, as writing past the system's page cache needs it. WebAssembly's
 * is the only one in JavaScript that does.
 * @param size bytes; rounded up
 * @returns `undefined` where the system has no address space left
 */
export function allocatePages(size: number): ArrayBuffer | undefined {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi }
  const count = Math.ceil(size / WASM_PAGE)
  try {
    const { buffer } = new WebAssembly.Memory({ initial: count, maximum: count })
    pages.add(buffer)
    return buffer
  } catch {
    return undefined
  }
}

/** Tells whether bytes lie in memory of `allocatePages`, which may be used again for others. */
export function isInPages(bytes: Uint8Array): boolean {
  return pages.has(bytes.buffer)
}

/** Returns the bytes and zeros up to the end of their last page, without a copy; `undefined` for other memory. */
export function toWholePages(bytes: Uint8Array): Uint8Array | undefined {
  if (!isInPages(bytes) || bytes.byteOffset % PAGE !== 0) return undefined
  const whole = new Uint8Array(bytes.buffer, bytes.byteOffset, Math.ceil(bytes.length / PAGE) * PAGE)
  return whole.fill(0, bytes.length)
}

/** Gives memory back at once, which nobody reads any more: what still refers to it is empty from then on. */
export function freeMemory(memory: ArrayBufferLike): void {
  // `transfer` is part of ES2024 and in every version of Node that the server runs on.
  ;(memory as { transfer?: (length: number) => void }).transfer?.(0)
}
