import { EFFORTS, EXTENSIONS, IMAGE_TYPES, PRESERVE_ITEMS, QUALITY_LEVELS, RESIZE_METHODS } from '@pixpress/core'
import { describeFlags } from '../flags.ts'

/** The flags of `pixpress compress`. */
export const COMPRESS_FLAGS = {
  out: { value: 'DIR', short: 'o', description: 'writes into this folder instead of replacing files' },
  quality: {
    value: 'LEVEL',
    short: 'q',
    description:
      `${Object.keys(QUALITY_LEVELS).join(', ')}, or an SSIMULACRA2 score from 1 to 100 (default high)` as string,
  },
  'max-bytes': { value: 'BYTES', description: 'bytes that an image may have, at the best score that fits' },
  effort: { value: 'EFFORT', description: `time for bytes at the same quality: ${EFFORTS.join(', ')}` as string },
  convert: {
    value: 'TYPES',
    description:
      `${IMAGE_TYPES.map((type) => EXTENSIONS[type]).join(', ')}, or '*/*'; of several, with commas, the smallest wins` as string,
  },
  resize: { value: 'METHOD', description: RESIZE_METHODS.join(', ') as string },
  width: { value: 'PIXELS', description: 'nothing is ever scaled up' },
  height: { value: 'PIXELS', description: 'without --resize: scale by one side, fit inside both' },
  background: { value: 'COLOUR', description: "fills transparent pixels: '#rrggbb', white or black" },
  preserve: { value: 'ITEMS', description: `metadata to keep, with commas: ${PRESERVE_ITEMS.join(', ')}` as string },
  engine: { value: 'URL', description: 'a service of the compression interface instead of this machine' },
  key: {
    value: 'KEY',
    description: "the service's API key; better in the variable PIXPRESS_KEY, which others cannot see",
  },
  store: { description: "puts every result into the configuration's store as well, and prints its address" },
  overwrite: { description: 'with --convert: replaces files that have the new name already' },
  'dry-run': { short: 'n', description: 'shows what would be, and writes nothing but the cache' },
  watch: { short: 'w', description: 'goes on with every image that is added or changed' },
  json: { description: 'prints the report as JSON' },
  quiet: { description: 'prints nothing but errors' },
  concurrency: { value: 'N', short: 'j', description: 'images worked on at once (default: the processors)' },
  'cache-dir': { value: 'DIR', description: 'where results are kept' },
  'no-cache': { description: 'keeps no results' },
  config: {
    value: 'FILE',
    short: 'c',
    description: 'the configuration file (default: the nearest pixpress.config.ts)',
  },
  help: { short: 'h', description: 'this text' },
} as const

export const COMPRESS_HELP: string = `Makes images smaller: AVIF, WebP, JPEG, PNG, JPEG XL, GIF and SVG, by content.

  pixpress compress <files, folders or globs…> [options]
  pixpress compress - < image > smaller-image

Files are replaced in place, whole or not at all, and only where the result is smaller. With --convert the new file stands
beside the old one. A file that is compressed already is left alone.

${describeFlags(COMPRESS_FLAGS)}

Exit codes: 0 all good, 1 some files failed, 2 wrong usage.
`
