import { PixpressError } from '@pixpress/core'
import { STORES, STORE_SERVICES, describeFlags, nearest, parseFlags } from '@pixpress/core/internal'
import type { Flag, StoreService } from '@pixpress/core/internal'
import { DELIVERY_FLAGS } from './delivery-flags.ts'
import type { DeliveryFlagName } from './delivery-flags.ts'

/** The name of a flag without its dashes. */
export type FlagName =
  | 'port'
  | 'host'
  | 'key'
  | 'keys-file'
  | 'tls-cert'
  | 'tls-key'
  | 'public-url'
  | 'allow-host'
  | 'data'
  | 'redis'
  | 's3'
  | 's3-region'
  | 'allow-source'
  | 'allow-origin'
  | 'monthly-limit'
  | 'rate'
  | 'max-bytes'
  | 'max-pixels'
  | 'max-frames'
  | 'timeout'
  | 'retention'
  | 'cache-size'
  | 'concurrency'
  | 'sandbox'
  | 'queue'
  | 'max-wait'
  | 'work-memory'
  | 'weight'
  | 'upload-memory'
  | 'upload-timeout'
  | `store-${StoreService}-endpoint`
  | DeliveryFlagName
  | 'metrics-port'
  | 'metrics-host'
  | 'otel'
  | 'drain-delay'
  | 'drain-timeout'

/** A setting on the command line and in the environment. A flag wins. */
export interface ServerFlag extends Flag {
  readonly value: string
  readonly variable: string
}

/** The uploads' target for a client's `store` command, for each kind of object storage. */
const STORE_ENDPOINTS = Object.fromEntries(
  STORE_SERVICES.map((service) => [
    `store-${service}-endpoint`,
    {
      variable: `PIXPRESS_STORE_${service.toUpperCase()}_ENDPOINT`,
      value: 'URL',
      description: `where 'store' with service ${service} uploads to; default: ${STORES[service].provider}`,
    },
  ]),
) as Readonly<Record<`store-${StoreService}-endpoint`, ServerFlag>>

/** Every flag of `pixpress serve`, in the order of the help. */
export const FLAGS: Readonly<Record<FlagName, ServerFlag>> = {
  port: { variable: 'PIXPRESS_PORT', value: '8080', description: 'port to listen on; 0 for any free one' },
  host: { variable: 'PIXPRESS_HOST', value: '127.0.0.1', description: 'address to listen on' },
  key: {
    variable: 'PIXPRESS_KEYS',
    value: '[NAME=]KEY',
    description: "accepted key, plain or as 'sha256:<hex>'; may be repeated",
    several: true,
  },
  'keys-file': {
    variable: 'PIXPRESS_KEYS_FILE',
    value: 'FILE',
    description: 'further accepted keys and what holds for each, a line for each key; read again on SIGHUP',
  },
  'tls-cert': { variable: 'PIXPRESS_TLS_CERT', value: 'FILE', description: 'certificate chain (PEM)' },
  'tls-key': { variable: 'PIXPRESS_TLS_KEY', value: 'FILE', description: "the certificate's private key (PEM)" },
  'public-url': {
    variable: 'PIXPRESS_PUBLIC_URL',
    value: 'URL',
    description: 'https URL by which clients reach this server',
  },
  'allow-host': {
    variable: 'PIXPRESS_ALLOW_HOST',
    value: 'HOST',
    description: "host that answers may repeat in 'Location' without --public-url; may be repeated",
    several: true,
  },
  data: { variable: 'PIXPRESS_DATA', value: 'FOLDER', description: 'folder of the database and the outputs' },
  redis: { variable: 'PIXPRESS_REDIS_URL', value: 'URL', description: 'keep counts and records in Redis; needs --s3' },
  s3: {
    variable: 'PIXPRESS_S3_URL',
    value: 'URL',
    description: 'keep outputs in a bucket: https://<endpoint>/<bucket>',
  },
  's3-region': { variable: 'PIXPRESS_S3_REGION', value: 'us-east-1', description: "the bucket's region" },
  'allow-source': {
    variable: 'PIXPRESS_ALLOW_SOURCE',
    value: 'HOST',
    description: 'address, network or host that source.url may reach although it is not public; may be repeated',
    several: true,
  },
  'allow-origin': {
    variable: 'PIXPRESS_ALLOW_ORIGIN',
    value: 'ORIGIN',
    description: 'origin whose pages may call the interface from browsers; may be repeated',
    several: true,
  },
  'monthly-limit': {
    variable: 'PIXPRESS_MONTHLY_LIMIT',
    value: 'N',
    description: 'compressions per account and month',
  },
  rate: { variable: 'PIXPRESS_RATE', value: '100/s', description: "requests per account, or 'none'" },
  'max-bytes': { variable: 'PIXPRESS_MAX_BYTES', value: '100MB', description: 'bytes of an upload' },
  'max-pixels': {
    variable: 'PIXPRESS_MAX_PIXELS',
    value: '100MP',
    description: 'pixels of an upload, all frames together',
  },
  'max-frames': { variable: 'PIXPRESS_MAX_FRAMES', value: '256', description: 'frames of an upload' },
  timeout: { variable: 'PIXPRESS_TIMEOUT', value: '120s', description: 'time one image may take' },
  retention: { variable: 'PIXPRESS_RETENTION', value: '48h', description: 'time an output is kept' },
  'cache-size': {
    variable: 'PIXPRESS_CACHE_SIZE',
    value: '5GB',
    description: "bytes of results that an account's builds may keep at /cache, or 'none'",
  },
  concurrency: {
    variable: 'PIXPRESS_CONCURRENCY',
    value: 'N',
    description: 'images worked on at once; default: the processors',
  },
  sandbox: {
    variable: 'PIXPRESS_SANDBOX',
    value: 'auto',
    description:
      "'auto' decodes images in a process of its own, without network and disk where bubblewrap is, or 'none'",
  },
  queue: {
    variable: 'PIXPRESS_QUEUE',
    value: '100',
    description: 'images that may wait; further ones are answered with 503',
  },
  'max-wait': {
    variable: 'PIXPRESS_MAX_WAIT',
    value: '4m',
    description: 'time an image may wait; where it would take longer, it is answered with 503 at once',
  },
  'work-memory': {
    variable: 'PIXPRESS_WORK_MEMORY',
    value: 'BYTES',
    description: 'bytes that images at work may take, decoded; default: a quarter of the memory, at most 512MiB',
  },
  weight: {
    variable: 'PIXPRESS_WEIGHTS',
    value: 'NAME=N',
    description: 'share of an account in the work where several wait; default 1; may be repeated',
    several: true,
  },
  'upload-memory': { variable: 'PIXPRESS_UPLOAD_MEMORY', value: '500MB', description: 'bytes of uploads held at once' },
  'upload-timeout': {
    variable: 'PIXPRESS_UPLOAD_TIMEOUT',
    value: '5m',
    description: 'time a request may take to arrive',
  },
  ...STORE_ENDPOINTS,
  ...DELIVERY_FLAGS,
  'metrics-port': { variable: 'PIXPRESS_METRICS_PORT', value: '9464', description: "port of /metrics, or 'none'" },
  'metrics-host': { variable: 'PIXPRESS_METRICS_HOST', value: '127.0.0.1', description: 'address of /metrics' },
  otel: {
    variable: 'PIXPRESS_OTEL',
    value: 'none',
    description: "'otlp' sends traces and metrics to a collector, as variables OTEL_* say",
  },
  'drain-delay': {
    variable: 'PIXPRESS_DRAIN_DELAY',
    value: '2s',
    description: 'time between failing /readyz and closing, for load balancers to notice',
  },
  'drain-timeout': {
    variable: 'PIXPRESS_DRAIN_TIMEOUT',
    value: '30s',
    description: 'time requests under way are given to finish',
  },
}

const HELP = { help: { short: 'h', description: 'show this help' } } as const

/** Settings as they were written, unparsed. */
export type GivenSettings = Partial<Record<FlagName, string>>

/** Names a setting in messages: by the flag, or by the variable where its value came from that. */
export type NameOf = (name: FlagName) => string

/** The settings of a command line and environment. */
export interface CommandLine {
  readonly given: GivenSettings
  readonly nameOf: NameOf
  readonly help: boolean
}

/**
 * Flags, then `PIXPRESS_*` variables for what no flag gives. No message shows a value: most of them are secrets.
 * @throws PixpressError `INVALID_OPTION` on an unknown flag or variable, or a flag without a value
 */
export function readCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { flags, positionals } = parseFlags(argv, { ...FLAGS, ...HELP }, env)
  // A stray word may be the second half of a secret with a space in it, so it is not shown.
  if (positionals.length > 0) throw new PixpressError('INVALID_OPTION', 'Only flags are expected, each with its value.')
  refuseUnknownVariables(env)
  const { help = false, ...given } = flags
  const { flags: written } = parseFlags(argv, { ...FLAGS, ...HELP })
  const isVariable = (name: FlagName): boolean => flags[name] !== undefined && written[name] === undefined
  return {
    given: given as GivenSettings,
    nameOf: (name) => (isVariable(name) ? FLAGS[name].variable : `--${name}`),
    help,
  }
}

/** Returns the text of `pixpress serve --help`. */
export function helpText(): string {
  return [
    'Usage: pixpress serve [flags]',
    '',
    'Serves the image compression interface. Without flags: on the loopback address, with a key it makes itself.',
    '',
    describeFlags({ ...FLAGS, ...HELP }),
    '',
    `The bucket's credentials are read from ${CREDENTIALS.join(' and ')}.`,
  ].join('\n')
}

/** Variables of the bucket's credentials, which are no flags: command lines are seen by every user of a machine. */
const CREDENTIALS = ['PIXPRESS_S3_ACCESS_KEY_ID', 'PIXPRESS_S3_SECRET_ACCESS_KEY']

/**
 * Variables of other parts of the project: of clients, of builds and their cache, of reports, of its tests and
 * measurements.
 */
const OTHERS: ReadonlySet<string> = new Set([
  'PIXPRESS_CACHE_KEY',
  'PIXPRESS_ENDPOINT',
  'PIXPRESS_FROZEN',
  'PIXPRESS_KEY',
  'PIXPRESS_PROFILE',
  'PIXPRESS_REPORT',
  'PIXPRESS_CHROMIUM',
  'PIXPRESS_IMAGES',
  'PIXPRESS_KEEP_PROJECTS',
])

/**
 * Variables that Kubernetes and Docker set for a service called `pixpress`.
 * https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables
 */
const OF_CONTAINERS = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP)(?:_\w+)?$/
const CONTAINER_ADDRESS = /^(?:tcp|udp):\/\//

const PREFIX = 'PIXPRESS_'

/** Without what all have in common, which would make any two of them alike. */
const bare = (name: string): string => name.slice(PREFIX.length)

/**
 * Refuses unknown variables: a misspelt one would be as good as not set, which nobody notices. @throws PixpressError
 * `INVALID_OPTION`
 */
function refuseUnknownVariables(env: Readonly<Record<string, string | undefined>>): void {
  const known = [...Object.values(FLAGS).map(({ variable }) => variable), ...CREDENTIALS]
  const unknown = Object.entries(env).find(
    ([name, value]) =>
      name.startsWith(PREFIX) &&
      !known.includes(name) &&
      !OTHERS.has(name) &&
      !OF_CONTAINERS.test(name) &&
      !CONTAINER_ADDRESS.test(value ?? ''),
  )
  if (unknown === undefined) return
  const [name] = unknown
  const near = nearest(bare(name), known.map(bare))
  const hint = near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean '${PREFIX}${near}'?`
  throw new PixpressError('INVALID_OPTION', `Unknown variable '${name}'. ${hint}`)
}
