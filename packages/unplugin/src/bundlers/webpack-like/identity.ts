import { createHash } from 'node:crypto'
import { exceptionsOf, storeLocation } from '@pixpress/core/internal'
import type { Session } from '../../session/session.ts'

/** A transparent pixel: what is planned for it tells the engine's versions and operations apart. */
const PIXEL: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Whatever can change what a module of an image becomes, besides the image: part of loader requests and of the
 * bundler's cache version, so that what older options or engines made is not used again. Free of paths, thus the same
 * on every machine. 12 hexadecimal digits.
 */
export function moduleIdentity({ options, planBytes }: Session): string {
  const { include, exclude, operations, overrides, convertIcons, presets, lqip, publicDir, onError, limits, store } =
    options
  const { compat, defaultDirectives, outputs, namedExports, lock } = options
  const relevant = {
    engine: planBytes('pixel.png', PIXEL).id,
    // The same plan has another result then.
    lock: exceptionsOf(lock) || undefined,
    include,
    exclude,
    operations,
    overrides,
    convertIcons,
    presets: [...presets],
    lqip,
    compat,
    defaultDirectives,
    outputs,
    namedExports,
    publicDir,
    onError,
    limits,
    // Modules hold URLs. Credentials have no part in them.
    store: store && (store.baseUrl ?? storeLocation({ ...store.folder, path: `${store.folder.path}/name` })),
  }
  const text = JSON.stringify(relevant, (_, value: unknown) => (isWritten(value) ? String(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Gives what JSON has no form for, and whose text says all of it. */
const isWritten = (value: unknown): boolean =>
  value instanceof RegExp || value instanceof URLSearchParams || typeof value === 'function'
