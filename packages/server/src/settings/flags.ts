import { PixpressError, didYouMean } from '@pixpress/core'

export type FlagName =
  | 'port'
  | 'host'
  | 'key'
  | 'tls-cert'
  | 'tls-key'
  | 'public-url'
  | 'data'
  | 'redis'
  | 's3'
  | 's3-region'
  | 'allow-source'
  | 'monthly-limit'
  | 'rate'
  | 'max-bytes'
  | 'max-pixels'
  | 'max-frames'
  | 'timeout'
  | 'retention'
  | 'concurrency'
  | 'queue'
  | 'upload-memory'
  | 'upload-timeout'
  | 'store-s3-endpoint'
  | 'store-gcs-endpoint'
  | 'metrics-port'
  | 'metrics-host'
  | 'drain-delay'
  | 'drain-timeout'

/** How one setting is written on the command line and in the environment. A flag wins. */
export interface Flag {
  readonly variable: string
  /** What follows the flag, for the help. */
  readonly value: string
  readonly help: string
  /** May be given several times; its values are joined by commas, as in the variable. */
  readonly several?: true
}

/** Every flag of `pixpress serve`, in the order of the help. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  port: { variable: 'PIXPRESS_PORT', value: '8080', help: 'port to listen on; 0 for any free one' },
  host: { variable: 'PIXPRESS_HOST', value: '127.0.0.1', help: 'address to listen on' },
  key: {
    variable: 'PIXPRESS_KEYS',
    value: '[NAME=]KEY',
    help: "accepted key, plain or as 'sha256:<hex>'; may be repeated",
    several: true,
  },
  'tls-cert': { variable: 'PIXPRESS_TLS_CERT', value: 'FILE', help: 'certificate chain (PEM)' },
  'tls-key': { variable: 'PIXPRESS_TLS_KEY', value: 'FILE', help: "the certificate's private key (PEM)" },
  'public-url': {
    variable: 'PIXPRESS_PUBLIC_URL',
    value: 'URL',
    help: 'https address by which clients reach this server',
  },
  data: { variable: 'PIXPRESS_DATA', value: 'FOLDER', help: 'folder of the database and the outputs' },
  redis: { variable: 'PIXPRESS_REDIS_URL', value: 'URL', help: 'keep counts and records in Redis; needs --s3' },
  s3: { variable: 'PIXPRESS_S3_URL', value: 'URL', help: 'keep outputs in a bucket: https://<endpoint>/<bucket>' },
  's3-region': { variable: 'PIXPRESS_S3_REGION', value: 'us-east-1', help: "the bucket's region" },
  'allow-source': {
    variable: 'PIXPRESS_ALLOW_SOURCE',
    value: 'HOST',
    help: 'address, network or host that source.url may reach although it is not public; may be repeated',
    several: true,
  },
  'monthly-limit': { variable: 'PIXPRESS_MONTHLY_LIMIT', value: 'N', help: 'compressions per account and month' },
  rate: { variable: 'PIXPRESS_RATE', value: '100/s', help: "requests per account, or 'none'" },
  'max-bytes': { variable: 'PIXPRESS_MAX_BYTES', value: '100MB', help: 'bytes of an upload' },
  'max-pixels': { variable: 'PIXPRESS_MAX_PIXELS', value: '100MP', help: 'pixels of an upload, all frames together' },
  'max-frames': { variable: 'PIXPRESS_MAX_FRAMES', value: '256', help: 'frames of an upload' },
  timeout: { variable: 'PIXPRESS_TIMEOUT', value: '120s', help: 'time one image may take' },
  retention: { variable: 'PIXPRESS_RETENTION', value: '48h', help: 'time an output is kept' },
  concurrency: {
    variable: 'PIXPRESS_CONCURRENCY',
    value: 'N',
    help: 'images worked on at once; default: the processors',
  },
  queue: { variable: 'PIXPRESS_QUEUE', value: '100', help: 'images that may wait; further ones are answered with 503' },
  'upload-memory': { variable: 'PIXPRESS_UPLOAD_MEMORY', value: '500MB', help: 'bytes of uploads held at once' },
  'upload-timeout': { variable: 'PIXPRESS_UPLOAD_TIMEOUT', value: '5m', help: 'time a request may take to arrive' },
  'store-s3-endpoint': {
    variable: 'PIXPRESS_STORE_S3_ENDPOINT',
    value: 'URL',
    help: "where 'store' with service s3 uploads to; default: Amazon's",
  },
  'store-gcs-endpoint': {
    variable: 'PIXPRESS_STORE_GCS_ENDPOINT',
    value: 'URL',
    help: "where 'store' with service gcs uploads to; default: Google's",
  },
  'metrics-port': { variable: 'PIXPRESS_METRICS_PORT', value: '9464', help: "port of /metrics, or 'none'" },
  'metrics-host': { variable: 'PIXPRESS_METRICS_HOST', value: '127.0.0.1', help: 'address of /metrics' },
  'drain-delay': {
    variable: 'PIXPRESS_DRAIN_DELAY',
    value: '2s',
    help: 'time between failing /readyz and closing, for load balancers to notice',
  },
  'drain-timeout': {
    variable: 'PIXPRESS_DRAIN_TIMEOUT',
    value: '30s',
    help: 'time requests under way are given to finish',
  },
}

/** What was written, unparsed. Empty values count as not given, as containers often set them so. */
export type GivenSettings = Partial<Record<FlagName, string>>

export interface CommandLine {
  readonly given: GivenSettings
  readonly help: boolean
}

/**
 * Flags, then `PIXPRESS_*` variables for what no flag gives.
 * @throws PixpressError `INVALID_OPTION` on an unknown flag or variable, or a flag without a value
 */
export function readCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const given: GivenSettings = {}
  let help = false
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (word === '--help' || word === '-h') {
      help = true
      continue
    }
    const [, name = '', inline] = /^--([\w-]+)(?:=([^]*))?$/.exec(word) ?? []
    // What is no flag may be the second half of a secret with a space in it.
    if (!word.startsWith('-'))
      throw new PixpressError('INVALID_OPTION', 'Only flags are expected, each with its value.')
    if (!isFlag(name)) {
      throw new PixpressError('INVALID_OPTION', `Unknown flag '${named(word)}'. ${didYouMean(named(word), dashed())}`)
    }
    const value = inline ?? argv[++at]
    if (value === undefined) throw new PixpressError('INVALID_OPTION', `'--${name}' needs a value.`)
    const before = given[name]
    if (before !== undefined && !isRepeatable(name)) {
      throw new PixpressError('INVALID_OPTION', `'--${name}' is given twice.`)
    }
    given[name] = before === undefined ? value : `${before},${value}`
  }
  for (const name of Object.keys(FLAGS) as FlagName[]) {
    const value = env[FLAGS[name].variable]
    if (given[name] === undefined && value !== undefined && value.trim() !== '') given[name] = value
  }
  return { given, help }
}

/** The text of `pixpress serve --help`. */
export function helpText(): string {
  const rows = (Object.entries(FLAGS) as [FlagName, Flag][]).map(
    ([name, { value, help, variable }]) => [`--${name} ${value}`, `${help} (${variable})`] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    'Usage: pixpress serve [flags]',
    '',
    'Serves the image compression interface. Without flags: on the loopback address, with a key it makes itself.',
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    "The bucket's credentials are read from PIXPRESS_S3_ACCESS_KEY_ID and PIXPRESS_S3_SECRET_ACCESS_KEY.",
  ].join('\n')
}

const dashed = (): string[] => [...Object.keys(FLAGS), 'help'].map((name) => `--${name}`)
/** Without its value, which may be a secret. */
const named = (word: string): string => word.split('=', 1)[0]!
const isFlag = (name: string): name is FlagName => Object.hasOwn(FLAGS, name)
const isRepeatable = (name: FlagName): boolean => FLAGS[name].several === true
