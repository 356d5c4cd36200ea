/** The part of the WebAssembly JavaScript interface used here; TypeScript has it only in the DOM's library. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => WebAssemblyModule
  Instance: new (module: WebAssemblyModule, imports?: unknown) => { readonly exports: unknown }
}

/** Compiled code; opaque. */
export interface WebAssemblyModule {
  readonly __module: never
}

export interface WebAssemblyMemory {
  /** Replaced by a new one whenever the memory grows. */
  readonly buffer: ArrayBuffer
  /** Adds pages of 64 KiB. Throws RangeError if it cannot. */
  grow(pages: number): number
}

export const webAssembly: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
