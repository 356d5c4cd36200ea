import { deliveryUrl } from '@pixpress/client/delivery'
import type { DeliveryOperations } from '@pixpress/client/delivery'
import type { Answer } from './http.ts'
import { sendRequest } from './http.ts'

export const DELIVERY_KEY = '0123456789abcdef0123456789abcdef'

/** `Accept` of Chromium for an `<img>`. */
export const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

/** `Accept` of Safari for an `<img>`. */
export const SAFARI = 'image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,*/*;q=0.5'

export interface DeliveryOptions {
  readonly accept?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks a server for a picture as a browser does, with a signature and without any other key. */
export async function ask(
  server: string,
  source: string,
  operations: DeliveryOperations = {},
  { accept = '*/*', method = 'GET', headers = {} }: DeliveryOptions = {},
): Promise<Answer> {
  const url = await deliveryUrl(source, operations, { endpoint: server, key: DELIVERY_KEY })
  return sendRequest(method, new URL(url), { headers: { Accept: accept, ...headers } })
}
