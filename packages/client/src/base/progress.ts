/** The state of a request's upload or of its answer's download. */
export interface Progress {
  /** The half of the exchange that is under way. A further try of a request begins at 0 again. */
  readonly phase: 'upload' | 'download'
  /** Bytes that have gone out or come in. */
  readonly bytes: number
  /** Bytes in all, where they are known. */
  readonly total: number | undefined
}

/** Is told of the bytes of one half of an exchange, of which there are so many in all. */
export type OnBytes = (bytes: number, total: number | undefined) => void

/** Is told of progress, after each piece. An error that it throws ends the request. */
export type OnProgress = (progress: Progress) => void
