import { OPERATION_FLAGS, code } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import { PLACEHOLDERS } from '../compress/name-template.ts'

/** Images of a chunk unless `--chunk` is given. */
export const CHUNK_IMAGES = 1000

/** Images of the sample of an estimate unless `--sample` is given. */
export const SAMPLE_IMAGES = 200

/** Prices unless others are given: the assumptions of docs/scale.md, which are nobody's list. */
export const PRICES = { price: 0.04, writes: 0.005, reads: 0.0005 } as const

/** The variable that holds the queue's URL, which may have a password. */
export const QUEUE_VARIABLE = 'PIXPRESS_QUEUE'

const QUEUE: Flags[string] = {
  value: 'URL',
  variable: QUEUE_VARIABLE,
  description: 'the queue: `redis://` or `rediss://` of a Redis or Valkey',
}

/** Flags of the machine, which the workers of one batch may have different ones of. */
const MACHINE = {
  concurrency: COMPRESS_FLAGS['concurrency']!,
  'cache-dir': COMPRESS_FLAGS['cache-dir']!,
  'no-cache': COMPRESS_FLAGS['no-cache']!,
  endpoint: { value: 'URL', description: "S3 where it is not Amazon's (default: `AWS_ENDPOINT_URL_S3`)" },
  region: { value: 'REGION', description: 'the region of the buckets (default: `AWS_REGION`, else `us-east-1`)' },
  config: COMPRESS_FLAGS['config']!,
} as const satisfies Flags

/** The flags of `pixpress batch`. */
export const BATCH_FLAGS: Flags = {
  from: {
    value: 'PLACE',
    description: 'the images: `s3://bucket/folder`, a folder, or a file that lists them, one a line',
  },
  to: { value: 'PLACE', description: 'where results and records go: `s3://bucket/folder` or a folder' },
  queue: {
    ...QUEUE,
    description:
      'the queue of a Redis or Valkey (`redis://`, `rediss://`): all that run `pixpress work` on it do the work',
  },
  detach: { description: 'with `--queue`: ends when everything is listed, instead of when it is done' },
  shard: {
    value: 'K/N',
    description: 'only part K of N of the chunks, for N machines without a queue; `auto` takes what the runner says',
  },
  status: { description: 'says how far the batches of `--to` are, and what failed' },
  'dry-run': { short: 'n', description: 'estimates hours and money from a sample, and writes nothing' },
  ...OPERATION_FLAGS,
  name: {
    value: 'TEMPLATE',
    description: `names of results, from ${code(Object.keys(PLACEHOLDERS).map((each) => `{${each}}`))} (default: those of the sources)`,
  },
  exclude: {
    value: 'GLOB',
    several: true,
    description: 'leaves out what matches below `--from`, or has that name at any depth. May be given several times',
  },
  overwrite: { description: 'replaces other objects that have the names of results' },
  chunk: { value: 'N', description: `images of a chunk (default ${CHUNK_IMAGES})` },
  sample: { value: 'N', description: `images that \`--dry-run\` works on (default ${SAMPLE_IMAGES})` },
  price: { value: 'MONEY', description: `price of an hour of one processor (default ${PRICES.price})` },
  writes: { value: 'MONEY', description: `price of a thousand \`PUT\` (default ${PRICES.writes})` },
  reads: { value: 'MONEY', description: `price of a thousand \`GET\` (default ${PRICES.reads})` },
  ...MACHINE,
  json: { description: 'prints what became of the batch as JSON' },
  quiet: { description: 'prints nothing but errors' },
  help: COMPRESS_FLAGS['help']!,
}

/** The flags of `pixpress work`. */
export const WORK_FLAGS: Flags = {
  queue: QUEUE,
  'until-empty': { description: 'ends when nothing is left to do, instead of on SIGTERM' },
  ...MACHINE,
  json: { description: 'prints a line of JSON for each chunk that is done' },
  quiet: { description: 'prints nothing but errors' },
  help: COMPRESS_FLAGS['help']!,
}
