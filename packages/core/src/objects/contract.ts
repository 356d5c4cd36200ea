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
  /** `one`: exactly one of the store's members that say so is given. */
  readonly required: boolean | 'one'
  /** The `store` command of the remote interface has it. */
  readonly inCommands: boolean
  /** The pattern that a value must match, and its description in errors. Not for secrets: errors show the value. */
  readonly form?: readonly [pattern: RegExp, expected: string]
  /** The behaviour without it, for documents. */
  readonly default?: string
  /** One sentence for documents. */
  readonly description?: string
}

/** A request to a store, without what authorises it. */
export interface ObjectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly url: string
  /** Headers of the object and conditions; a store adds what its protocol wants. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The bytes of an object. */
  readonly body?: Uint8Array | undefined
}

/** The same with what authorises it, which may be a part of the URL: it is not shown to anybody. */
export interface AuthorizedRequest {
  readonly url: string
  readonly headers: Headers
}

/** Authorises requests. Signatures hold for some minutes only, so each try is authorised again. */
export type Authorize = (request: ObjectRequest) => Promise<AuthorizedRequest>

/**
 * A kind of object storage that takes objects by `PUT` at `<endpoint>/<bucket>/<key>`. One file each, and one line in
 * services.ts.
 */
export interface ObjectStore<Options extends ObjectOptions & { service: string }> {
  /** The name that people know it by. */
  readonly label: string
  /** The owner of the service unless `endpoint` names another one, for documents: `Amazon's`. */
  readonly provider: string
  readonly members: Readonly<Record<Exclude<keyof Options, 'service' | keyof ObjectOptions>, MemberFacts>>
  /** Advice about refusals, by the `Code` of the answer: a sentence each. */
  readonly hints: Readonly<Record<string, string>>
  /** Returns the base URL of the service, without a slash at its end. */
  endpoint(options: Options): string
  /** Returns what authorises requests of these options, which are validated. */
  authorizer(options: Options): Authorize
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
