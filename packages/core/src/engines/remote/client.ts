import { PixpressError } from '../../base/errors.ts'
import type { ErrorCode } from '../../base/errors.ts'
import type { PreserveItem } from '../../base/types.ts'
import type { ConvertType } from '../../operations/convert.ts'
import type { InterfaceResize } from '../../operations/resize.ts'

/** The commands for an uploaded image in one request, in the words of the remote interface. */
export interface RemoteCommands {
  readonly resize?: InterfaceResize
  readonly convert?: { type: ConvertType | readonly ConvertType[] }
  readonly transform?: { background: `#${string}` }
  readonly preserve?: readonly PreserveItem[]
}

/**
 * The part of a client that the remote engine uses: `createClient` of `@pixpress/client` makes one. Its errors are told
 * apart by `name`: `AccountError` (wrong key, limit reached), `ClientError` (this request cannot be answered),
 * `ServerError` and `ConnectionError` (the service is away).
 */
export interface RemoteClient {
  /** Asks whether the key is valid, at no cost. */
  validate(call?: { readonly signal?: AbortSignal }): Promise<number | undefined>
  /** Uploads an image; gives the URL of the output. */
  shrink(image: Uint8Array, call?: RemoteCall): Promise<{ readonly url: string }>
  fetchImage(
    url: string,
    commands?: RemoteCommands,
    call?: RemoteCall,
  ): Promise<{ readonly data: Uint8Array | undefined; readonly type: string | undefined }>
  /** The account's compressions of the month, as the newest answer said. */
  readonly compressionCount: number | undefined
  close(): void
}

/** Options of a call. */
export interface RemoteCall {
  /** The client calls it for each try that the service may have counted without its answer telling so. */
  readonly onLostAnswer?: () => void
}

/** An account at the service. */
export interface RemoteAccount {
  /** The name in reports: the key without the part that makes it secret. */
  readonly name: string
  readonly client: RemoteClient
}

/** Enough of a key to tell one from another: its last four characters, where that leaves enough unknown. */
export function maskKey(key: string): string {
  return key.length >= 16 ? `…${key.slice(-4)}` : '…'
}

/** The kind of a client's error. */
export type RemoteProblem = 'account' | 'request' | 'service'

const PROBLEMS: Readonly<Record<string, RemoteProblem>> = {
  AccountError: 'account',
  ClientError: 'request',
  ServerError: 'service',
  ConnectionError: 'service',
}

/** Returns the kind of a client's error; `undefined` for all other errors. */
export function problemOf(error: unknown): RemoteProblem | undefined {
  return error instanceof Error ? PROBLEMS[error.name] : undefined
}

/** The interface's names of problems with an image, in our words. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  BackgroundRequired: 'BACKGROUND_REQUIRED',
  DecodeError: 'DECODE_FAILED',
  InputMissing: 'INPUT_MISSING',
  InputTooLarge: 'INPUT_TOO_LARGE',
  UnsupportedMediaType: 'UNSUPPORTED_TYPE',
}

/** Returns the error of an image that the service refuses to work on. */
export function refusedByService(error: Error & { error?: unknown }, file: string | undefined): PixpressError {
  const code = typeof error.error === 'string' ? CODES[error.error] : undefined
  return new PixpressError(code ?? 'REMOTE_UNAVAILABLE', error.message, { file, cause: error })
}

/** Returns an error's message as the end of a sentence that goes on with a full stop. */
export const sentenceEnd = ({ message }: Error): string => message.replace(/\.(?=\s*(?:\(HTTP|$))/, '').trim()
