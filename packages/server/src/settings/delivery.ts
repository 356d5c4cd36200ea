import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { baseUrl, invalidOption } from '@pixpress/core/internal'
import type { BucketSettings } from '../storage/contract.ts'
import { DELIVERY_FLAGS, DELIVERY_WIDTHS } from './delivery-flags.ts'
import type { DeliveryFlagName } from './delivery-flags.ts'
import { parseBytes, parsePeriod, parseWhole } from './units.ts'

/** Where the originals of a source are. */
export type DeliveryPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  /** `base` ends with a slash. */
  | { readonly kind: 'http'; readonly base: string }
  /** `prefix` is empty or ends with a slash. */
  | { readonly kind: 'bucket'; readonly bucket: BucketSettings; readonly prefix: string }

/** The settings of the delivery. */
export interface DeliverySettings {
  /** At least one. */
  readonly keys: readonly string[]
  /** The places by the names of the sources. */
  readonly sources: ReadonlyMap<string, DeliveryPlace>
  /** Operations as they stand in a URL, by the names of presets. */
  readonly presets: ReadonlyMap<string, string>
  /** Pixels. */
  readonly widths: ReadonlySet<number>
  /** Milliseconds. */
  readonly maxAge: number
  /** Bytes of results in the data folder. In a bucket, a lifecycle rule decides instead. */
  readonly cacheSize: number
}

/** The settings as they were written, and what those of buckets take from elsewhere. */
interface GivenDelivery {
  readonly given: Readonly<Partial<Record<DeliveryFlagName | 's3-region', string>>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly nameOf: (name: DeliveryFlagName) => string
}

/** The fewest characters of a signing key: 128 random bits, written in hexadecimal digits. */
const SHORTEST_KEY = 32

/** Names of what stands in a URL in the place of a source's name. */
const TAKEN: readonly string[] = ['url', 'output']

const NAMES = Object.keys(DELIVERY_FLAGS) as DeliveryFlagName[]

/**
 * Reads the settings of the delivery; `undefined` where there is no key.
 * @throws PixpressError `INVALID_OPTION` naming the flag or variable, without a key in its message
 */
export function resolveDelivery({ given, env, nameOf }: GivenDelivery): DeliverySettings | undefined {
  const keys = (given['delivery-key'] ?? '').split(/[\s,]+/).filter((key) => key !== '')
  if (keys.length === 0) {
    const lonely = NAMES.find((name) => given[name] !== undefined)
    if (lonely === undefined) return undefined
    const message = `'${nameOf(lonely)}' needs '${nameOf('delivery-key')}': without a signing key nothing is delivered.`
    throw new PixpressError('INVALID_OPTION', message)
  }
  if (keys.some((key) => key.length < SHORTEST_KEY || !/^[\x21-\x7e]+$/.test(key))) {
    const expected = `at least ${SHORTEST_KEY} characters of printable ASCII, such as 'openssl rand -hex 32' gives`
    throw new PixpressError('INVALID_OPTION', `Expected ${expected}, for each key of '${nameOf('delivery-key')}'.`)
  }
  const text = (name: DeliveryFlagName): string => given[name] ?? DELIVERY_FLAGS[name].value
  const pairs = (name: DeliveryFlagName): [string, string][] => parsePairs(nameOf(name), given[name] ?? '')
  const place = (written: string): DeliveryPlace => parsePlace(nameOf('delivery-source'), written, { given, env })
  return {
    keys,
    sources: new Map(pairs('delivery-source').map(([name, written]) => [name, place(written)])),
    presets: new Map(pairs('delivery-preset')),
    widths: new Set(
      (given['delivery-widths'] ?? DELIVERY_WIDTHS)
        .split(/[\s,]+/)
        .map((each) => parseWhole(nameOf('delivery-widths'), each, 1)),
    ),
    maxAge: parsePeriod(nameOf('delivery-max-age'), text('delivery-max-age')),
    cacheSize: parseBytes(nameOf('delivery-cache'), text('delivery-cache')),
  }
}

/** Parses `one=…, other=…`. Values may hold commas themselves: a pair begins where a name and `=` follow one. */
function parsePairs(option: string, text: string): [string, string][] {
  const parts = text.split(/[\s,]+(?=[\w-]+=)/).filter((part) => part.trim() !== '')
  const pairs = parts.map((part): [string, string] => {
    const [, name, value] = /^([\w-]{1,64})=(.+)$/s.exec(part.trim()) ?? []
    // The value is not shown, as a URL may hold a password.
    if (name === undefined || value === undefined) {
      throw new PixpressError('INVALID_OPTION', `Expected NAME=VALUE in '${option}', the name of letters and digits.`)
    }
    if (TAKEN.includes(name)) {
      throw new PixpressError('INVALID_OPTION', `The name '${name}' in '${option}' has a meaning of its own.`)
    }
    return [name, value.replace(/[\s,]+$/, '')]
  })
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index)
  if (twice !== undefined) throw new PixpressError('INVALID_OPTION', `'${option}' has '${twice[0]}' twice.`)
  return pairs
}

function parsePlace(option: string, text: string, { given, env }: Pick<GivenDelivery, 'given' | 'env'>): DeliveryPlace {
  if (text.startsWith('s3:')) return parseBucket(option, text.slice('s3:'.length), { given, env })
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return { kind: 'folder', folder: path.resolve(text) }
  // Which hosts may be reached is decided when a picture is fetched, as for every other URL.
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBase = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isBase || url.username !== '' || url.password !== '') {
    const message = `Expected a folder, an http or https URL without credentials and query, or s3:https://<endpoint>/<bucket> in '${option}'.`
    throw new PixpressError('INVALID_OPTION', message)
  }
  return { kind: 'http', base: url.href.replace(/\/*$/, '/') }
}

function parseBucket(
  option: string,
  text: string,
  { given, env }: Pick<GivenDelivery, 'given' | 'env'>,
): DeliveryPlace {
  const url = baseUrl(text, { encrypted: true })
  const [, endpoint, bucket, prefix = ''] = /^(https?:\/\/[^/]+)\/([a-z\d][\w.-]+)(?:\/(.+))?$/i.exec(url ?? '') ?? []
  if (endpoint === undefined || bucket === undefined) {
    throw invalidOption(option, "a bucket such as 's3:https://s3.eu-west-1.amazonaws.com/my-photos'", 's3:…')
  }
  const { PIXPRESS_S3_ACCESS_KEY_ID: accessKeyId = '', PIXPRESS_S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = env
  if (accessKeyId === '' || secretAccessKey === '') {
    const message = `A bucket in '${option}' needs PIXPRESS_S3_ACCESS_KEY_ID and PIXPRESS_S3_SECRET_ACCESS_KEY.`
    throw new PixpressError('INVALID_OPTION', message)
  }
  const region = given['s3-region'] ?? 'us-east-1'
  return {
    kind: 'bucket',
    bucket: { endpoint, region, bucket, accessKeyId, secretAccessKey },
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}
