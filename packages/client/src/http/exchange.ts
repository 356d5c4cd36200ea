import type { OnBytes } from '../base/progress.ts'
import type { UploadContent } from '../base/upload-body.ts'

/** A request to the service, for one try. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: UploadContent | undefined
  /** Milliseconds that the try may take. */
  readonly timeout: number
  /** Leaves the body of an answer of success to a reader. */
  readonly streamed?: boolean | undefined
  /** The exchange calls it when there is a connection: from then on the service may hear of the request. */
  readonly onConnected?: () => void
  readonly onSent?: OnBytes | undefined
  readonly onReceived?: OnBytes | undefined
}

/** Headers of an answer, by their names in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>

/** A body that is left to a reader. */
export interface ComingBody {
  /** The body as it comes. It throws as `send` does. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Closes the connection, of a body that is not read to its end. */
  cancel(): void
}

/** The service's answer. */
export interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
  /** The whole body; empty where it is left to a reader. */
  readonly body: Uint8Array
  /** The body of a success, where the request asked for it. */
  readonly coming?: ComingBody | undefined
}

/** Makes one try of one request at a time, each bounded in time and size. Redirects are answers like any other. */
export interface Exchange {
  /**
   * @throws ConnectionError when no whole answer came
   * @throws the signal's reason when it is aborted
   */
  send(request: Request, signal?: AbortSignal): Promise<Answer>
  /** Closes the connections that are kept open for further requests. */
  close(): void
}

/** Tells whether a status means success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300
