import type { StoreCommand } from './store-command.ts'

/** An image that is to be uploaded to a client's own storage. */
export interface StorableImage {
  readonly data: Uint8Array
  readonly type: string
}

/**
 * Uploads an image to object storage with the client's credentials.
 * @returns the address of the object
 * @throws PixpressError with status 422 when the storage refuses
 */
export type StoreOutput = (image: StorableImage, command: StoreCommand) => Promise<{ location: string }>

export interface StoreEndpoints {
  /** Instead of Amazon's. */
  readonly s3: string | undefined
  /** Instead of Google's. */
  readonly gcs: string | undefined
}

/** Loaded with the first image that is stored: most servers never need it. */
export function createStoreOutput(endpoints: StoreEndpoints): StoreOutput {
  return async ({ data, type }, command) => {
    const { store } = await import('@pixpress/core')
    const endpoint = endpoints[command.service]
    return store({ data, info: { type } }, { ...command, ...(endpoint !== undefined && { endpoint }) })
  }
}
