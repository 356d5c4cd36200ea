/**
 * The part of the WebAssembly JavaScript interface that is used here. TypeScript declares it only in its DOM library.
 */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => WebAssemblyModule
  Instance: new (module: WebAssemblyModule, imports?: unknown) => { readonly exports: unknown }
}

/** Compiled code, which is opaque. */
export interface WebAssemblyModule {
  readonly __module: never
}

/** Memory of a WebAssembly instance. */
export interface WebAssemblyMemory {
  /** The bytes of the memory. A new buffer replaces it whenever the memory grows. */
  readonly buffer: ArrayBuffer
  /** Adds pages of 64 KiB. Throws `RangeError` if the machine has too little memory. */
  grow(pages: number): number
}

/** The global `WebAssembly`, typed without the DOM library. */
export const webAssembly: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly

/** The bytes of a module that was written down as base64. It runs in browsers, which have no `Buffer`. */
export const moduleBytes = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
