import type { StoreOptions } from '@pixpress/core'
import type { StoreService } from '@pixpress/core/internal'
import type { StoreCommand } from './store-command.ts'

/** An image that is to be uploaded to a client's own storage. */
export interface StorableImage {
  readonly data: Uint8Array
  readonly type: string
}

/**
 * Uploads an image to object storage with the client's credentials.
 * @returns the URL of the object
 * @throws PixpressError with status 422 when the storage refuses
 */
export type StoreOutput = (image: StorableImage, command: StoreCommand) => Promise<{ location: string }>

/** A base URL for each service that replaces the provider's. */
export type StoreEndpoints = Readonly<Record<StoreService, string | undefined>>

/** Creates the uploader, whose code is loaded with the first image that is stored: most servers never need it. */
export function createStoreOutput(endpoints: StoreEndpoints): StoreOutput {
  return async ({ data, type }, command) => {
    const { store } = await import('@pixpress/core')
    const endpoint = endpoints[command.service]
    const options = { ...command, ...(endpoint !== undefined && { endpoint }) } as unknown as StoreOptions
    return store({ data, info: { type } }, options)
  }
}
