import { PixpressError } from '@pixpress/core'
import { isPassingStatus, withRetries } from '@pixpress/core/internal'
import type { Attempt } from '@pixpress/core/internal'
import { readBodyUpTo } from './response-body.ts'
import type { ListedImage, Missing, ReadImage } from './contract.ts'
import { imageTooLarge } from './image-checks.ts'

/** Milliseconds before each further try, and those that an answer may take. */
const WAITS = [200, 800, 3000] as const
const TIMEOUT = 60_000

/**
 * Reads an image from a URL. Its ETag, or the time of its last change, is its version.
 * @throws PixpressError `INPUT_TOO_LARGE`; `IO_FAILED` where the server refuses or cannot be reached
 */
export async function readUrl(url: string, image: ListedImage, most: number): Promise<ReadImage | Missing> {
  return withRetries(() => attempt(url, image, most), { waits: WAITS, scatter: true })
}

async function attempt(
  url: string,
  { key, version: listed }: ListedImage,
  most: number,
): Promise<Attempt<ReadImage | Missing>> {
  const failed = (reason: string): PixpressError =>
    new PixpressError('IO_FAILED', `The image cannot be fetched: ${reason}.`, { file: key })
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) })
    if (response.status === 404 || response.status === 410) return { value: 'gone' }
    if (!response.ok)
      return { failure: failed(`its server answered ${response.status}`), passing: isPassingStatus(response.status) }
    const { body, isCut } = await readBodyUpTo(response, most)
    if (isCut) return { failure: imageTooLarge(key, most), passing: false }
    const version =
      response.headers.get('etag')?.replaceAll('"', '') ?? response.headers.get('last-modified') ?? undefined
    return { value: listed !== undefined && listed !== version ? 'changed' : { bytes: body, version } }
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
    return { failure: failed(code ?? message), passing: true }
  }
}
