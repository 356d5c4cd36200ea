/** Operations besides compression, in the interface's own words. */
export interface Commands {
  convert?: { type: string }
  resize?: { method: string; width?: number; height?: number }
  transform?: { background: string }
}

/** A compressed image, as the service answers it. */
export interface CompressedImage {
  readonly data: Blob
  /** MIME type. */
  readonly type: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** An answer that is no success: its sentence is for the person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The calls of the interface that the page makes. */
export interface Service {
  /**
   * Resolves with `false` when the key is none of the server's. @throws ServiceError for any other reason not to answer
   */
  validate(): Promise<boolean>
  /** @throws ServiceError */
  compress(image: Blob, commands: Commands): Promise<CompressedImage>
}

/** Longest wait that a busy server may ask for, in seconds. */
const PATIENCE = 30

/**
 * Returns the interface that this page was served with.
 * @param onCount told of the compressions of this month after each answer that says so
 */
export function createService(key: string, onCount: (count: number) => void): Service {
  // Keys may have letters that `btoa` does not take.
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`api:${key}`)))

  async function ask(path: string, init: RequestInit = {}, attempt = 0): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Basic ${credentials}` }
    // Relative to the page itself: behind a proxy, its URL may have a path that the server does not know of.
    const response = await fetch(new URL(path, document.baseURI), {
      ...init,
      headers,
      credentials: 'omit',
      cache: 'no-store',
    }).catch(() => {
      throw new ServiceError(0, 'The server cannot be reached.')
    })
    const count = response.headers.get('Compression-Count')
    if (count !== null) onCount(Number(count))
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
    if (response.status === 503 && attempt < 3 && wait <= PATIENCE) {
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
      return ask(path, init, attempt + 1)
    }
    return response
  }

  return {
    async validate() {
      const response = await ask('shrink', { method: 'POST' })
      if (response.status === 401) return false
      if (response.status === 400) return true
      throw await errorOf(response)
    },
    async compress(image, commands) {
      const upload = await ask('shrink', { method: 'POST', body: image })
      if (upload.status !== 201) throw await errorOf(upload)
      // The URL is the public one, where there is one; the page talks to where it came from.
      const id = new URL(upload.headers.get('Location') ?? '', location.href).pathname.split('/').at(-1)
      const plain = Object.keys(commands).length === 0
      const response = await ask(
        `output/${id}`,
        plain
          ? {}
          : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(commands) },
      )
      if (response.status !== 200) throw await errorOf(response)
      const data = await response.blob()
      return {
        data,
        type: response.headers.get('Content-Type') ?? data.type,
        width: Number(response.headers.get('Image-Width')),
        height: Number(response.headers.get('Image-Height')),
      }
    },
  }
}

async function errorOf(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined
  const message = typeof body?.message === 'string' ? body.message : `The server answered ${response.status}.`
  return new ServiceError(response.status, message)
}
