/** A build's use of a service. The service counts compressions: uploads, resizes, conversions. */
export interface RemoteUsage {
  /** Base URL of the service; of several the first. */
  readonly endpoint: string
  /** Compressions that this build used. */
  readonly compressions: number
  /**
   * Compressions of requests whose answer was lost, as far as the service could not be asked: it may have counted them
   * besides.
   */
  readonly unanswered: number
  /** Compressions that would have been used without the cache. */
  readonly saved: number
  /** Images that the service worked on. */
  readonly images: number
  /** Images it should have worked on and did not. */
  readonly fallbacks: {
    /** Worked on by this machine. */
    readonly local: number
    /** The images that were used as they are. */
    readonly original: number
  }
  /** The reasons, one sentence each. */
  readonly reasons: readonly string[]
  /** The use of each key, in the order of the options. */
  readonly keys: readonly RemoteKeyUsage[]
  /** Compressions that this build might still use; `null` without a limit for builds. */
  readonly left: number | null
  /** The use of each endpoint, in the order of the options; only where there are several. */
  readonly endpoints?: readonly RemoteEndpointUsage[]
}

/** The use of one endpoint. */
export interface RemoteEndpointUsage {
  /** Base URL. */
  readonly endpoint: string
  /** Images that it worked on. */
  readonly images: number
  /** Compressions that this build used there. */
  readonly compressions: number
  /** The reason why it was left before the end of the build, as the end of a sentence; `null` where it was not. */
  readonly reason: string | null
}

/** The use of one key. */
export interface RemoteKeyUsage {
  /** The end of the key, where it is long enough to stay secret. */
  readonly key: string
  /** Compressions that this build used. */
  readonly compressions: number
  /**
   * Compressions of the account in the current month, this build's and all others'; `null` where the service did not
   * say.
   */
  readonly month: number | null
  /** The limit that is set for the month; `null` without one. */
  readonly limit: number | null
}
