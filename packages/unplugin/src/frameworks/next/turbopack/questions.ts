/** The messages between a loader, in a process or thread of Turbopack's, and the process that holds the session. */

/** The kind of module: an image, an import of one that has directives, or a script that may have such imports. */
export type Step = 'image' | 'request' | 'script'

/** Options of the loader: plain data, and part of what Turbopack's cache knows a result by. */
export interface LoaderOptions {
  readonly step: Step
  /** The extension that the result's name gets. Default: the file's own. */
  readonly extension?: string
  /** Everything that can change what an image becomes: see `moduleIdentity`. */
  readonly build: string
  /** Tells whether images without directives stay as they are. */
  readonly keeps: boolean
}

/** A question about one module. */
export interface Question {
  readonly step: Step
  /** Absolute path of the image, or of the script. */
  readonly file: string
  /** With its `?`, or empty. */
  readonly query: string
  /** The extension that the result's name gets. */
  readonly extension: string
  readonly keeps: boolean
}

/** The answer beside the module's new content. */
export interface Answer {
  /** Sentences for the person who builds. */
  readonly notices: readonly string[]
  /** Files to watch, absolute. */
  readonly watched: readonly string[]
  /** Why there is no content. */
  readonly error?: string
  /** The imports of a script that the loader leads elsewhere. */
  readonly imports?: readonly QueriedImport[]
}

/** An import with directives in a script. */
export interface QueriedImport {
  /** Without its query. */
  readonly specifier: string
  /** With its `?`. */
  readonly query: string
  /** UTF-16 offsets between the quotes. */
  readonly start: number
  readonly end: number
}

/** The variable by which loaders find the session's process; processes and threads inherit it. */
export const SERVICE_VARIABLE = 'PIXPRESS_NEXT_SERVICE'

/** The value of `SERVICE_VARIABLE`, as JSON. */
export interface ServiceAddress {
  /** A socket's path, or the name of a pipe of Windows. */
  readonly socket: string
  /** The identity of the session that answers there. */
  readonly session: string
  /** Absolute path of the project. */
  readonly root: string
}

/**
 * Where the session's process answers.
 * @throws Error where there is none, with a sentence that says what to do
 */
export function serviceAddress(): ServiceAddress {
  const address = process.env[SERVICE_VARIABLE]
  if (address !== undefined) return JSON.parse(address) as ServiceAddress
  throw new Error(
    'The loader of pixpress runs without withPixpress. Export what withPixpress({ … }) returns from next.config.',
  )
}

/** Bytes of the number before the head of a message. */
const PREFIX = 4

/** A message: the length of its head, the head as JSON, and content. */
export function frame(head: object, content: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32BE(json.length)
  return Buffer.concat([prefix, json, content])
}

/** The two parts of a message. */
export function unframe<Head>(message: Buffer): { head: Head; content: Buffer } {
  const end = PREFIX + message.readUInt32BE()
  return { head: JSON.parse(message.toString('utf8', PREFIX, end)) as Head, content: message.subarray(end) }
}
