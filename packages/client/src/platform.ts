import type { ResolvedClientOptions } from './base/options.ts'
import type { Exchange } from './http/exchange.ts'

/** The parts of a client that depend on where it runs. */
export interface Platform<Data extends Uint8Array> {
  createExchange(options: ResolvedClientOptions): Exchange
  /** This text names the platform in `User-Agent`; `undefined` where a program cannot set that header. */
  readonly agent: string | undefined
  /** Returns bytes as this platform's programs expect them, not copied. */
  asData(bytes: Uint8Array): Data
  /** @throws the file system's error, or PixpressClientError where there are no files */
  readFile(path: string | URL): Promise<Uint8Array>
  /** Writes a whole file or none. @throws as `readFile` */
  writeFile(path: string | URL, bytes: Uint8Array): Promise<void>
}
