import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import path from 'node:path'
import { PixpressError, availableCpus, invalidOption } from '@pixpress/core'
import type { Limits } from '@pixpress/core'
import type { BucketSettings, RateSettings } from '../backends/types.ts'
import { isLoopback } from '../source/address.ts'
import { allowedSources } from '../source/allowed-sources.ts'
import type { AllowedSources } from '../source/allowed-sources.ts'
import { FLAGS } from './flags.ts'
import type { FlagName, GivenSettings } from './flags.ts'
import { parseKeys } from './keys.ts'
import type { AccountKey } from './keys.ts'
import { parseBytes, parseDuration, parsePixels, parseRate, parseWhole } from './units.ts'

/** Everything the server needs to know, validated. Times in milliseconds, sizes in bytes. */
export interface ServerSettings {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Empty: the server makes a key of its own and keeps its hash in the data folder. */
  readonly keys: readonly AccountKey[]
  /** PEM. `undefined`: in the clear. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Without a slash at the end. `undefined`: the address that the client has used. */
  readonly publicUrl: string | undefined
  /** Folder of the server's own files. */
  readonly data: string
  /** `undefined`: SQLite and files in the data folder. */
  readonly shared: { readonly redisUrl: string; readonly bucket: BucketSettings } | undefined
  readonly rate: RateSettings | undefined
  /** Compressions per account and month; `Infinity` for no limit. */
  readonly monthlyLimit: number
  readonly limits: Readonly<Required<Limits>>
  readonly retention: number
  /** Images worked on at once. */
  readonly concurrency: number
  /** Images that may wait for their turn. */
  readonly queue: number
  /** Bytes of uploads that are held at once, over all requests. */
  readonly uploadMemory: number
  /** Time in which a whole request must have arrived. */
  readonly uploadTimeout: number
  readonly sources: AllowedSources
  readonly storeEndpoints: { readonly s3: string | undefined; readonly gcs: string | undefined }
  /** `required`: asked for, so that the server does not start without it. */
  readonly metrics: { readonly host: string; readonly port: number; readonly required: boolean } | undefined
  readonly drainDelay: number
  readonly drainTimeout: number
}

/**
 * Reads what was written on the command line and in the environment.
 * @param env for the bucket's credentials, which are no flags: command lines are seen by every user of a machine
 * @throws PixpressError `INVALID_OPTION` naming the flag, or `IO_FAILED` for a certificate that cannot be read
 */
export function resolveSettings(
  given: GivenSettings = {},
  env: Readonly<Record<string, string | undefined>> = {},
): ServerSettings {
  const text = (name: FlagName, fallback: string): string => given[name] ?? fallback
  const whole = (name: FlagName, fallback: string, min: number, max?: number): number =>
    parseWhole(`--${name}`, text(name, fallback), min, max)
  const duration = (name: FlagName): number => parseDuration(`--${name}`, text(name, FLAGS[name].value))

  const host = text('host', '127.0.0.1').replace(/^\[|\]$/g, '')
  const publicUrl = given['public-url'] === undefined ? undefined : resolvePublicUrl(given['public-url'])
  const settings: ServerSettings = {
    host,
    port: whole('port', '8080', 0, 65_535),
    keys: parseKeys(text('key', '')),
    tls: resolveTls(given['tls-cert'], given['tls-key']),
    publicUrl,
    data: path.resolve(text('data', 'pixpress-data')),
    shared: resolveShared(given, env),
    rate: parseRate('--rate', text('rate', '100/s')),
    monthlyLimit:
      given['monthly-limit'] === undefined || given['monthly-limit'] === 'none'
        ? Number.POSITIVE_INFINITY
        : whole('monthly-limit', '', 1),
    limits: {
      maxBytes: parseBytes('--max-bytes', text('max-bytes', '100MB')),
      maxPixels: parsePixels('--max-pixels', text('max-pixels', '100MP')),
      maxFrames: whole('max-frames', '256', 1),
      timeout: duration('timeout'),
    },
    retention: duration('retention'),
    concurrency: given.concurrency === undefined ? availableCpus() : whole('concurrency', '', 1, 1024),
    queue: whole('queue', '100', 0),
    uploadMemory: parseBytes('--upload-memory', text('upload-memory', '500MB')),
    uploadTimeout: duration('upload-timeout'),
    sources: allowedSources('--allow-source', words(text('allow-source', ''))),
    storeEndpoints: {
      s3:
        given['store-s3-endpoint'] === undefined
          ? undefined
          : endpoint('store-s3-endpoint', given['store-s3-endpoint']),
      gcs:
        given['store-gcs-endpoint'] === undefined
          ? undefined
          : endpoint('store-gcs-endpoint', given['store-gcs-endpoint']),
    },
    metrics:
      given['metrics-port'] === 'none'
        ? undefined
        : {
            host: text('metrics-host', '127.0.0.1'),
            port: whole('metrics-port', '9464', 0, 65_535),
            required: given['metrics-port'] !== undefined,
          },
    drainDelay: duration('drain-delay'),
    drainTimeout: duration('drain-timeout'),
  }
  refuseInTheClear(settings)
  if (settings.uploadMemory < settings.limits.maxBytes) {
    throw new PixpressError(
      'INVALID_OPTION',
      "'--upload-memory' must be at least '--max-bytes', or no such upload fits.",
    )
  }
  if (settings.shared !== undefined && settings.keys.length === 0) {
    throw new PixpressError(
      'INVALID_OPTION',
      "With '--redis', give the keys ('--key', PIXPRESS_KEYS): all machines must know them.",
    )
  }
  return settings
}

/** Keys and images must not cross a network unencrypted. */
function refuseInTheClear({ host, tls, publicUrl }: ServerSettings): void {
  if (tls !== undefined || isLoopback(host) || publicUrl?.startsWith('https://') === true) return
  throw new PixpressError(
    'INVALID_OPTION',
    `Refusing to listen unencrypted on ${host}. Give '--tls-cert' and '--tls-key', or '--public-url https://…' when a ` +
      "proxy in front terminates TLS, or listen on '--host 127.0.0.1'.",
  )
}

function resolvePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const usable =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  if (!usable) throw invalidOption('--public-url', 'an https address without query', text)
  return url.href.replace(/\/+$/, '')
}

function resolveTls(certFile: string | undefined, keyFile: string | undefined): ServerSettings['tls'] {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw new PixpressError('INVALID_OPTION', "'--tls-cert' and '--tls-key' belong together: give both or none.")
  }
  const tls = { cert: readText('--tls-cert', certFile), key: readText('--tls-key', keyFile) }
  try {
    createSecureContext(tls)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('INVALID_OPTION', `'--tls-cert' and '--tls-key' cannot be used together: ${reason}.`, {
      cause: error,
    })
  }
  return tls
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new PixpressError('IO_FAILED', `The file of '${flag}', ${file}, cannot be read.`, { cause: error })
  }
}

function resolveShared(
  given: GivenSettings,
  env: Readonly<Record<string, string | undefined>>,
): ServerSettings['shared'] {
  if (given.redis === undefined && given.s3 === undefined) return undefined
  if (given.redis === undefined || given.s3 === undefined) {
    throw new PixpressError(
      'INVALID_OPTION',
      "'--redis' and '--s3' belong together: machines that share counts must share outputs. Give both or none.",
    )
  }
  const redisUrl = URL.canParse(given.redis) ? new URL(given.redis) : undefined
  if (redisUrl === undefined || !['redis:', 'rediss:'].includes(redisUrl.protocol)) {
    // Not shown: it may hold a password.
    throw new PixpressError('INVALID_OPTION', "Expected an address such as 'redis://host:6379' for '--redis'.")
  }
  const address = endpoint('s3', given.s3)
  const [, base, bucket] = /^(https?:\/\/[^/]+)\/([a-z\d][\w.-]+)$/i.exec(address) ?? []
  if (base === undefined || bucket === undefined) {
    throw invalidOption('--s3', "an address such as 'https://s3.eu-west-1.amazonaws.com/my-bucket'", given.s3)
  }
  const accessKeyId = env.PIXPRESS_S3_ACCESS_KEY_ID ?? ''
  const secretAccessKey = env.PIXPRESS_S3_SECRET_ACCESS_KEY ?? ''
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new PixpressError(
      'INVALID_OPTION',
      "'--s3' needs PIXPRESS_S3_ACCESS_KEY_ID and PIXPRESS_S3_SECRET_ACCESS_KEY.",
    )
  }
  const region = given['s3-region'] ?? 'us-east-1'
  return { redisUrl: redisUrl.href, bucket: { endpoint: base, region, bucket, accessKeyId, secretAccessKey } }
}

/** An address of object storage, without a slash at the end; in the clear on this machine only. */
function endpoint(flag: FlagName, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === undefined || !secure || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw invalidOption(`--${flag}`, 'an https address', url === undefined ? text : `${url.protocol}//${url.host}`)
  }
  return url.href.replace(/\/+$/, '')
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')
