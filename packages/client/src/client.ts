import { readFile } from 'node:fs/promises'
import { resolveClientOptions } from './base/options.ts'
import type { ClientOptions } from './base/options.ts'
import { createService } from './service.ts'
import type { CallOptions, Service } from './service.ts'
import { createSource } from './source.ts'
import type { Source } from './source.ts'

/** A client of one account at one service. Clients share nothing: each has its own count, connections and queue. */
export interface Client extends Service {
  /** The file is read when a result is asked for. */
  fromFile(path: string | URL): Source
  /** The bytes are not copied: leave them as they are until the first result is there. */
  fromBuffer(bytes: Uint8Array): Source
  /** The service fetches the image. */
  fromUrl(url: string | URL): Source
  /**
   * Asks whether the key is valid, which costs no compression. A key at its limit is valid.
   * @returns the account's compressions of the month, where the service tells
   * @throws AccountError for a wrong key
   */
  validate(call?: CallOptions): Promise<number | undefined>
  /** Compressions of the account in the current month, as the newest answer said; `undefined` before the first. */
  readonly compressionCount: number | undefined
  /** Closes the connections that are kept open. They never keep a process alive, so this is rarely needed. */
  close(): void
}

/**
 * @example
 * const client = createClient({ key: 'secret', endpoint: 'https://images.example.com' })
 * await client.fromFile('hero.png').convert({ type: ['image/avif', 'image/webp'] }).toFile('hero.avif')
 *
 * @throws TypeError for an option that is unknown or out of range, and for an endpoint that is not encrypted
 */
export function createClient(options: ClientOptions): Client {
  const service = createService(resolveClientOptions(options))
  return {
    fromFile: (path) => createSource(service, () => readFile(path)),
    fromBuffer(bytes) {
      if (!(bytes instanceof Uint8Array)) throw new TypeError('Expected a Buffer or another Uint8Array.')
      return createSource(service, () => bytes)
    },
    fromUrl: (url) => createSource(service, () => ({ url: String(url) })),
    validate: service.validate,
    shrink: service.shrink,
    fetchImage: service.fetchImage,
    get compressionCount() {
      return service.compressionCount
    },
    close: service.close,
  }
}
