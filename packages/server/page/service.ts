import { ServiceError } from './refusal.ts'
import type { Commands } from './settings.ts'
import { USUAL_QUALITY } from './settings.ts'

/** An upload that the server has compressed and kept. */
export interface Upload {
  readonly id: string
  /** MIME type, by content. */
  readonly type: string
}

/** A picture that the server has made. */
export interface MadePicture {
  readonly data: Blob
  /** MIME type. */
  readonly type: string
  /** Pixels; 0 of an SVG without a size. */
  readonly width: number
  readonly height: number
}

/** The picture to make of an upload. */
export interface Wish {
  readonly commands: Commands
  readonly quality: string
}

/** The calls of the interface that the page makes. */
export interface Service {
  /** Resolves with `false` when the key is none of the server's. @throws ServiceError for other reasons */
  validate(): Promise<boolean>
  /**
   * Uploads a picture.
   * @param onProgress told of the share that is sent
   * @throws ServiceError
   */
  upload(file: Blob, signal: AbortSignal, onProgress: (share: number) => void): Promise<Upload>
  /** Makes a picture of an upload. @throws ServiceError */
  make(id: string, wish: Wish, signal: AbortSignal): Promise<MadePicture>
}

/** Longest wait that a busy server may ask for, in seconds, and how often it may. */
const PATIENCE = { seconds: 30, times: 3 }

interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly json?: Commands
  readonly upload?: Blob
  readonly signal?: AbortSignal
  readonly onProgress?: (share: number) => void
}

/** An answer, from whichever way it was asked for. */
interface Answer {
  readonly status: number
  readonly data: Blob
  header(name: string): string | null
}

/**
 * Returns the interface that this page was served with.
 * @param onCount told of the compressions of this month after each answer that says so
 */
export function createService(key: string, onCount: (count: number) => void): Service {
  // Keys may have letters that `btoa` does not take.
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`api:${key}`)))

  async function ask(request: Ask): Promise<Answer> {
    for (let time = 0; ; time++) {
      const answer = await (request.upload === undefined ? fetchAnswer : sendUpload)(request, `Basic ${credentials}`)
      const count = answer.header('Compression-Count')
      if (count !== null) onCount(Number(count))
      const wait = Number(answer.header('Retry-After') ?? Number.NaN)
      const isBusy = answer.status === 503 || answer.status === 429
      if (!isBusy || time === PATIENCE.times || !(wait <= PATIENCE.seconds)) return answer
      await pause(wait * 1000, request.signal)
    }
  }

  return {
    async validate() {
      const answer = await ask({ method: 'POST', path: 'shrink' })
      if (answer.status === 401) return false
      // A key at its limit is a right one.
      if (answer.status === 400 || answer.status === 429) return true
      throw await errorOf(answer)
    },
    async upload(upload, signal, onProgress) {
      const answer = await ask({ method: 'POST', path: 'shrink?types=all', upload, signal, onProgress })
      if (answer.status !== 201) throw await errorOf(answer)
      const { input } = JSON.parse(await answer.data.text()) as { input: { type: string } }
      // The URL is the public one, where there is one; the page talks to where it came from.
      const location = new URL(answer.header('Location') ?? '', document.baseURI)
      return { id: location.pathname.split('/').at(-1)!, type: input.type }
    },
    async make(id, { commands, quality }, signal) {
      const query = quality === USUAL_QUALITY ? '' : `?quality=${quality}`
      const path = `output/${id}${query}`
      const answer = await ask(
        Object.keys(commands).length === 0
          ? { method: 'GET', path, signal }
          : { method: 'POST', path, signal, json: commands },
      )
      if (answer.status !== 200) throw await errorOf(answer)
      return {
        data: answer.data,
        type: answer.header('Content-Type') ?? answer.data.type,
        width: Number(answer.header('Image-Width')),
        height: Number(answer.header('Image-Height')),
      }
    },
  }
}

// Relative to the page itself: behind a proxy, its URL may have a path that the server does not know of.
const urlOf = (path: string): URL => new URL(path, document.baseURI)

const unreachable = (): ServiceError => new ServiceError(0, '', 'The server cannot be reached.')

async function fetchAnswer({ method, path, json, signal }: Ask, authorization: string): Promise<Answer> {
  const headers = { Authorization: authorization, ...(json !== undefined && { 'Content-Type': 'application/json' }) }
  try {
    const response = await fetch(urlOf(path), {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal !== undefined && { signal }),
      // With credentials of its own, the browser would ask for others where these are refused.
      credentials: 'omit',
      cache: 'no-store',
    })
    return {
      status: response.status,
      data: await response.blob(),
      header: (name) => response.headers.get(name),
    }
  } catch (error) {
    throw signal?.aborted === true ? error : unreachable()
  }
}

/** Sends a picture. `fetch` does not tell how far an upload has come. */
function sendUpload({ method, path, upload, signal, onProgress }: Ask, authorization: string): Promise<Answer> {
  const request = new XMLHttpRequest()
  request.open(method, urlOf(path))
  request.responseType = 'blob'
  request.setRequestHeader('Authorization', authorization)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total))
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const header = (name: string): string | null => request.getResponseHeader(name)
      resolve({ status: request.status, data: request.response as Blob, header })
    })
    request.addEventListener('error', () => reject(unreachable()))
    const abort = (): void => {
      request.abort()
      reject(signal!.reason as Error)
    }
    signal?.addEventListener('abort', abort)
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    if (signal?.aborted === true) abort()
    else request.send(upload ?? null)
  })
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

async function errorOf(answer: Answer): Promise<ServiceError> {
  const text = await answer.data.text()
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    return new ServiceError(answer.status, String(error), String(message))
  } catch {
    // Proxies answer in words of their own.
    return new ServiceError(answer.status, '', '')
  }
}
