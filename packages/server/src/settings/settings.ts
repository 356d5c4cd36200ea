import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { STORE_SERVICES, availableCpus, baseUrl, invalidOption, isLoopback } from '@pixpress/core/internal'
import type { StoreService } from '@pixpress/core/internal'
import type { Limits } from '@pixpress/core'
import type { BucketSettings, RateSettings } from '../storage/contract.ts'
import { allowedSources } from '../source/allowed-sources.ts'
import type { AllowedSources } from '../source/allowed-sources.ts'
import { resolveDelivery } from './delivery.ts'
import type { DeliverySettings } from './delivery.ts'
import { FLAGS } from './flags.ts'
import type { FlagName, GivenSettings, NameOf } from './flags.ts'
import { readKeysFile } from './keys-file.ts'
import type { KeysFile } from './keys-file.ts'
import { parseOrigins } from './origins.ts'
import { parseKeys } from '../accounts/keys.ts'
import type { AccountKey } from '../accounts/keys.ts'
import { resolveAdmission } from './admission.ts'
import type { AdmissionSettings } from './admission.ts'
import { parseBytes, parsePeriod, parsePixels, parseRate, parseWhole } from './units.ts'

const SANDBOXES = ['auto', 'none'] as const

/** Where traces and metrics are sent, besides `/metrics`. */
const OTELS = ['otlp', 'none'] as const

/** Everything the server needs to know, validated. Times in milliseconds, sizes in bytes. */
export interface ServerSettings extends AdmissionSettings {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Keys that were given, besides those in the storage. */
  readonly keys: readonly AccountKey[]
  /**
   * No key was given and none is shared: where the storage has none either, the server makes a key of its own and keeps
   * its hash in the data folder.
   */
  readonly makesKey: boolean
  /** PEM. `undefined`: in the clear. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** The public URL, without a slash at the end. `undefined`: the URL that the client has used. */
  readonly publicUrl: string | undefined
  /**
   * Nothing outlives the server, so that no SQLite is needed, and its page speaks to the person at this machine. Set by
   * the command without arguments alone.
   */
  readonly isPersonal?: true
  /** Folder of the server's own files. */
  readonly data: string
  /** `undefined`: SQLite and files in the data folder. */
  readonly shared: { readonly redisUrl: string; readonly bucket: BucketSettings } | undefined
  readonly rate: RateSettings | undefined
  /** Compressions per account and month; `Infinity` for no limit. */
  readonly monthlyLimit: number
  readonly limits: Readonly<Required<Limits>>
  readonly retention: number
  /** Bytes that each account may keep for its builds; 0 allows none. In a bucket, a lifecycle rule decides instead. */
  readonly cacheSize: number
  /** Images worked on at once. */
  readonly concurrency: number
  /**
   * `auto`: images are decoded in a process of their own, which has no secret in its environment, and no network and no
   * disk either where bubblewrap works. `none`: in threads of the server.
   */
  readonly sandbox: (typeof SANDBOXES)[number]
  /** Bytes of uploads that are held at once, over all requests. */
  readonly uploadMemory: number
  /** Time in which a whole request must have arrived. */
  readonly uploadTimeout: number
  readonly sources: AllowedSources
  /** Origins whose pages may call the interface from browsers. */
  readonly allowedOrigins: readonly string[]
  /** Base URLs of object storage instead of the providers', by service. */
  readonly storeEndpoints: Readonly<Record<StoreService, string | undefined>>
  /** `undefined`: nothing is delivered. */
  readonly delivery: DeliverySettings | undefined
  /** `required`: asked for, so that the server does not start without it. */
  readonly metrics: { readonly host: string; readonly port: number; readonly required: boolean } | undefined
  /** `otlp`: traces and metrics are sent to a collector, as variables `OTEL_*` say. */
  readonly otel: (typeof OTELS)[number]
  readonly drainDelay: number
  readonly drainTimeout: number
}

/**
 * Reads what was written on the command line and in the environment. The function is one list of all settings.
 * @param env for the bucket's credentials, which are no flags: command lines are seen by every user of a machine
 * @param nameOf how messages call a setting. Default: by its flag
 * @throws PixpressError `INVALID_OPTION` naming the flag or variable, or `IO_FAILED` for a certificate that cannot be
 * read
 */
export function resolveSettings(
  given: GivenSettings = {},
  env: Readonly<Record<string, string | undefined>> = {},
  nameOf: NameOf = (name) => `--${name}`,
): ServerSettings {
  const text = (name: FlagName, fallback: string): string => given[name] ?? fallback
  const whole = (name: FlagName, fallback: string, min: number, max?: number): number =>
    parseWhole(nameOf(name), text(name, fallback), min, max)
  const duration = (name: FlagName): number => parsePeriod(nameOf(name), text(name, FLAGS[name].value))

  const host = text('host', '127.0.0.1').replace(/^\[|\]$/g, '')
  const publicUrl =
    given['public-url'] === undefined ? undefined : resolvePublicUrl(nameOf('public-url'), given['public-url'])
  const { keys, isGiven, defaults } = resolveKeys(given, nameOf)
  const shared = resolveShared(given, env, nameOf)
  const settings: ServerSettings = {
    host,
    port: whole('port', '8080', 0, 65_535),
    keys,
    makesKey: !isGiven && shared === undefined,
    tls: resolveTls(given, nameOf),
    publicUrl,
    data: path.resolve(text('data', 'pixpress-data')),
    shared,
    rate: ownTerm(defaults.rate, () => parseRate(nameOf('rate'), text('rate', '100/s')), undefined),
    monthlyLimit: ownTerm(
      defaults.monthlyLimit,
      () => (text('monthly-limit', 'none') === 'none' ? Infinity : whole('monthly-limit', '', 1)),
      Number.POSITIVE_INFINITY,
    ),
    limits: {
      maxBytes: parseBytes(nameOf('max-bytes'), text('max-bytes', '100MB')),
      maxPixels: parsePixels(nameOf('max-pixels'), text('max-pixels', '100MP')),
      maxFrames: whole('max-frames', '256', 1),
      timeout: duration('timeout'),
    },
    retention: duration('retention'),
    cacheSize: given['cache-size'] === 'none' ? 0 : parseBytes(nameOf('cache-size'), text('cache-size', '5GB')),
    concurrency: given.concurrency === undefined ? availableCpus() : whole('concurrency', '', 1, 1024),
    sandbox: resolveWord(nameOf('sandbox'), text('sandbox', FLAGS.sandbox.value), SANDBOXES),
    ...resolveAdmission(given, nameOf),
    uploadMemory: parseBytes(nameOf('upload-memory'), text('upload-memory', '500MB')),
    uploadTimeout: duration('upload-timeout'),
    sources: allowedSources(nameOf('allow-source'), words(text('allow-source', ''))),
    allowedOrigins: parseOrigins(nameOf('allow-origin'), words(text('allow-origin', ''))),
    storeEndpoints: storeEndpoints(given, nameOf),
    delivery: resolveDelivery({ given, env, nameOf }),
    metrics: resolveMetrics(given, nameOf),
    otel: resolveWord(nameOf('otel'), text('otel', FLAGS.otel.value), OTELS),
    drainDelay: duration('drain-delay'),
    drainTimeout: duration('drain-timeout'),
  }
  refuseInTheClear(settings, nameOf)
  refuseContradictions(settings, nameOf)
  return settings
}

/** Returns where metrics are told; `undefined` where they are not. */
function resolveMetrics(given: GivenSettings, nameOf: NameOf): ServerSettings['metrics'] {
  const { 'metrics-host': host = '127.0.0.1', 'metrics-port': port } = given
  if (port === 'none') return undefined
  return { host, port: parseWhole(nameOf('metrics-port'), port ?? '9464', 0, 65_535), required: port !== undefined }
}

/** Returns the keys of flag and file, whether there is either, and the defaults of the file. */
function resolveKeys(given: GivenSettings, nameOf: NameOf): KeysFile & { readonly isGiven: boolean } {
  const keys = parseKeys(nameOf('key'), given.key ?? '')
  const file = given['keys-file']
  if (file === undefined) return { keys, isGiven: keys.length > 0, defaults: {} }
  const ofFile = readKeysFile(nameOf('keys-file'), file)
  return { keys: [...keys, ...ofFile.keys], isGiven: true, defaults: ofFile.defaults }
}

/** Takes a term of the defaults of a keys file, else that of the flag, which has to be right all the same. */
function ownTerm<T>(ofFile: T | 'none' | undefined, ofFlag: () => T, none: T): T {
  const flag = ofFlag()
  return ofFile === undefined ? flag : ofFile === 'none' ? none : ofFile
}

/** Refuses settings that are fine by themselves and do not go together. */
function refuseContradictions(settings: ServerSettings, nameOf: NameOf): void {
  const { uploadMemory, limits } = settings
  if (uploadMemory < limits.maxBytes) {
    throw new PixpressError(
      'INVALID_OPTION',
      `'${nameOf('upload-memory')}' must be at least '${nameOf('max-bytes')}', or no such upload fits.`,
    )
  }
}

function resolveWord<Word extends string>(option: string, text: string, words: readonly [Word, Word]): Word {
  const known = words.find((each) => each === text)
  if (known === undefined) throw invalidOption(option, words.map((word) => `'${word}'`).join(' or '), text)
  return known
}

/** Keys and images must not cross a network unencrypted. */
function refuseInTheClear({ host, tls, publicUrl }: ServerSettings, nameOf: NameOf): void {
  if (tls !== undefined || isLoopback(host) || publicUrl?.startsWith('https://') === true) return
  throw new PixpressError(
    'INVALID_OPTION',
    `Refusing to listen unencrypted on ${host}. Give '--tls-cert' and '--tls-key', or '--public-url https://…' when a ` +
      `proxy in front terminates TLS, or 127.0.0.1 for '${nameOf('host')}'.`,
  )
}

function resolvePublicUrl(option: string, text: string): string {
  const url = baseUrl(text, { encrypted: true })
  if (url === undefined) throw invalidOption(option, 'an https URL without query', text)
  return url
}

function resolveTls(given: GivenSettings, nameOf: NameOf): ServerSettings['tls'] {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = given
  if (certFile === undefined && keyFile === undefined) return undefined
  const [cert, key] = bothNames('tls-cert', 'tls-key', given, nameOf)
  if (certFile === undefined || keyFile === undefined) {
    throw new PixpressError('INVALID_OPTION', `'${cert}' and '${key}' belong together: give both or none.`)
  }
  const tls = { cert: readText(cert, certFile), key: readText(key, keyFile) }
  try {
    createSecureContext(tls)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('INVALID_OPTION', `'${cert}' and '${key}' cannot be used together: ${reason}.`, {
      cause: error,
    })
  }
  return tls
}

/** Names two settings that belong together; the missing one is called like the one that was given. */
function bothNames(one: FlagName, other: FlagName, given: GivenSettings, nameOf: NameOf): [string, string] {
  const [present, missing] = given[one] === undefined ? [other, one] : [one, other]
  const byVariable = nameOf(present) === FLAGS[present].variable
  const name = (each: FlagName): string =>
    each === missing && given[missing] === undefined && byVariable ? FLAGS[each].variable : nameOf(each)
  return [name(one), name(other)]
}

function readText(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new PixpressError('IO_FAILED', `The file of '${option}', ${file}, cannot be read.`, { cause: error })
  }
}

function resolveShared(
  given: GivenSettings,
  env: Readonly<Record<string, string | undefined>>,
  nameOf: NameOf,
): ServerSettings['shared'] {
  if (given.redis === undefined && given.s3 === undefined) return undefined
  const [redis, s3] = bothNames('redis', 's3', given, nameOf)
  if (given.redis === undefined || given.s3 === undefined) {
    throw new PixpressError(
      'INVALID_OPTION',
      `'${redis}' and '${s3}' belong together: machines that share counts must share outputs. Give both or none.`,
    )
  }
  const redisUrl = parseRedisUrl(redis, given.redis)
  const url = endpoint(s3, given.s3)
  const [, base, bucket] = /^(https?:\/\/[^/]+)\/([a-z\d][\w.-]+)$/i.exec(url) ?? []
  if (base === undefined || bucket === undefined) {
    throw invalidOption(s3, "a URL such as 'https://s3.eu-west-1.amazonaws.com/my-bucket'", given.s3)
  }
  const accessKeyId = env.PIXPRESS_S3_ACCESS_KEY_ID ?? ''
  const secretAccessKey = env.PIXPRESS_S3_SECRET_ACCESS_KEY ?? ''
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new PixpressError(
      'INVALID_OPTION',
      `'${s3}' needs PIXPRESS_S3_ACCESS_KEY_ID and PIXPRESS_S3_SECRET_ACCESS_KEY.`,
    )
  }
  const region = given['s3-region'] ?? 'us-east-1'
  return { redisUrl, bucket: { endpoint: base, region, bucket, accessKeyId, secretAccessKey } }
}

/** @throws PixpressError `INVALID_OPTION` without the value, as it may hold a password */
export function parseRedisUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && ['redis:', 'rediss:'].includes(url.protocol)) return url.href
  throw new PixpressError('INVALID_OPTION', `Expected a URL such as 'redis://host:6379' for '${option}'.`)
}

/** Returns the URL of object storage, without a slash at its end; unencrypted on this machine only. */
function endpoint(option: string, text: string): string {
  const url = baseUrl(text, { encrypted: true })
  if (url !== undefined) return url
  // Shows only those parts of a URL that hold no credentials.
  const { protocol = '', host = '' } = URL.canParse(text) ? new URL(text) : {}
  throw invalidOption(option, 'an https URL', host === '' ? text : `${protocol}//${host}`)
}

function storeEndpoints(given: GivenSettings, nameOf: NameOf): ServerSettings['storeEndpoints'] {
  const entries = STORE_SERVICES.map((service) => {
    const text = given[`store-${service}-endpoint`]
    return [service, text === undefined ? undefined : endpoint(nameOf(`store-${service}-endpoint`), text)] as const
  })
  return Object.fromEntries(entries) as ServerSettings['storeEndpoints']
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')
