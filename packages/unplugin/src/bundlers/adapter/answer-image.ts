import type { IncomingMessage, ServerResponse } from 'node:http'
import { mimeType } from '../../session/encode/data-url.ts'
import type { PlannedImage, Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'

/** A request to a dev server, and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** An image that a dev server sends. */
export interface SentImage {
  readonly session: Session
  readonly planned: PlannedImage
  /** Tells whether the URL stands for this very image, so that browsers may keep it for ever. */
  readonly isImmutable: boolean
  readonly warn: Warn
}

/** Sends an image, which is encoded now unless the browser has it. */
export async function sendImage(
  { session, planned, isImmutable, warn }: SentImage,
  { request, response }: Exchange,
): Promise<void> {
  const etag = `"${planned.id}"`
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (hasTag(request.headers['if-none-match'], etag)) {
    response.statusCode = 304
    response.end()
    return
  }
  const image = await session.serve(planned, warn)
  if (image.result?.draft) {
    // The final result will have the same URL.
    response.removeHeader('ETag')
    response.setHeader('Cache-Control', 'no-store')
  }
  response.setHeader('Content-Type', mimeType(image))
  response.setHeader('Content-Length', image.data.length)
  response.end(request.method === 'HEAD' ? undefined : image.data)
}

/** Tells whether an `If-None-Match` header names a tag. */
function hasTag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
