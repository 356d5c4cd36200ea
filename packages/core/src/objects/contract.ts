/** The headers that the stored object may get besides its type. */
export interface StoreHeaders {
  'Cache-Control'?: string
}

/** The members that the options of every store have. */
export interface ObjectOptions {
  /** `<bucket>/<path>/<filename>`. */
  path: string
  headers?: StoreHeaders
  /** Base URL of the service. Default: the provider's. */
  endpoint?: string
}

/** A member of a store's options besides those that every store has: a text that is not empty. */
export interface MemberFacts {
  readonly required: boolean
  /** The `store` command of the remote interface has it. */
  readonly inCommands: boolean
  /** The pattern that a value must match, and its description in errors. Not for secrets: errors show the value. */
  readonly form?: readonly [pattern: RegExp, expected: string]
  /** The behaviour without it, for documents. */
  readonly default?: string
  /** One sentence for documents. */
  readonly description?: string
}

/** A request for an object, without what authorises it. */
export interface ObjectRequest {
  readonly method: 'HEAD' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the object; absent with `HEAD`. */
  readonly body?: Uint8Array
}

/**
 * A kind of object storage that takes objects by `PUT` at `<endpoint>/<bucket>/<key>`. One file each, and one entry in
 * the list of index.ts.
 */
export interface ObjectStore<Options extends ObjectOptions & { service: string }> {
  /** The name that people know it by. */
  readonly label: string
  /** The owner of the service unless `endpoint` names another one, for documents: `Amazon's`. */
  readonly provider: string
  readonly members: Readonly<Record<Exclude<keyof Options, 'service' | keyof ObjectOptions>, MemberFacts>>
  /** Returns the base URL of the service, without a slash at its end. */
  endpoint(options: Options): string
  /** Returns the headers to send: those of the request, and what authorises it. The options are validated. */
  authorize(options: Options, request: ObjectRequest): Promise<Headers>
}

/** The use of object storage by a build. */
export interface StoreUsage {
  /** The `service` of the store's options. */
  readonly service: string
  /** Images that were put there. */
  readonly uploaded: number
  /** Images that were there already. */
  readonly present: number
  /** Bytes that were put there. */
  readonly bytes: number
}
