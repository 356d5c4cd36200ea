import { OPERATION_FLAGS, PROJECT_OPTIONS, describeFlags } from '@pixpress/core/internal'
import type { Flags, OptionRow } from '@pixpress/core/internal'

/** The flags of the project's options besides operations, from their rows. */
export const PROJECT_FLAGS: Flags = Object.fromEntries(
  Object.values<OptionRow<unknown>>(PROJECT_OPTIONS).flatMap(({ flags = {} }) =>
    Object.entries(flags).filter(([name]) => !Object.hasOwn(OPERATION_FLAGS, name)),
  ),
)

/** The flags of `pixpress compress`: those of options, and those that only a command has. */
export const COMPRESS_FLAGS: Flags = {
  out: { value: 'DIR', short: 'o', description: 'writes into this folder, under the same names, instead of in place' },
  ...OPERATION_FLAGS,
  ...PROJECT_FLAGS,
  overwrite: { description: 'with `--convert`: replaces files that have the new name already' },
  force: {
    description: 'encodes lossy results of earlier runs again, in place, though they lose detail a second time',
  },
  'preserve-times': { description: 'files that are written have the times of their sources' },
  'dry-run': { short: 'n', description: 'shows what would be, and writes nothing but the cache' },
  watch: { short: 'w', description: 'continues with every image that is added or changed, until Ctrl-C' },
  json: {
    description: "prints [the report](report.md) as JSON; each image's `output` is the file that holds its result",
  },
  quiet: { description: 'prints nothing but errors' },
  config: {
    value: 'FILE',
    short: 'c',
    description: 'the configuration file (default: the nearest `pixpress.config.ts`)',
  },
  help: { short: 'h', description: 'this text' },
}

export const COMPRESS_HELP: string = `Makes images smaller: AVIF, WebP, JPEG, PNG, JPEG XL, GIF and SVG, by content.

  pixpress compress <files, folders or globs…> [options]
  pixpress compress - < image > smaller-image

Files are replaced in place, whole or not at all, and only where the result is smaller. With --convert the new file stands
beside the old one. A file that is compressed already is left alone.

${describeFlags(COMPRESS_FLAGS)}

Exit codes: 0 all good, 1 some files failed, 2 wrong usage.
`
