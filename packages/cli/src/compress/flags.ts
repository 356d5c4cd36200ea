import { OPERATION_FLAGS, PROJECT_OPTIONS, code } from '@pixpress/core/internal'
import type { Flags, OptionRow } from '@pixpress/core/internal'
import { PLACEHOLDERS, WIDTHS_NAME } from './name-template.ts'

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
  width: {
    ...OPERATION_FLAGS['width']!,
    value: 'PIXELS[,PIXELS…]',
    description: `${OPERATION_FLAGS['width']!.description}. Several are a result each, with \`--out\``,
  },
  name: {
    value: 'TEMPLATE',
    description: `names of results in \`--out\`, from ${code(Object.keys(PLACEHOLDERS).map((each) => `{${each}}`))} (default with several widths: \`${WIDTHS_NAME}\`)`,
  },
  ...PROJECT_FLAGS,
  'files-from': {
    value: 'FILE',
    description:
      'also takes the files that this file lists, or standard input (`-`): one a line, or with NUL between them',
  },
  exclude: {
    value: 'GLOB',
    several: true,
    description:
      'leaves out what matches: files, folders, or names at any depth. May be given several times; `!GLOB` among the files means the same',
  },
  staged: { description: 'only images that the next Git commit adds or changes, for hooks' },
  shard: {
    value: 'K/N',
    description:
      'only [part K of N](scale.md), for N machines: a file belongs to one part, by its path. `auto` takes the part that [the runner says](batch.md#without-a-queue)',
  },
  'min-saving': {
    value: 'PERCENT',
    description: 'in place: writes only what becomes smaller by this share of its bytes (default 0)',
  },
  backup: {
    value: 'DIR',
    description:
      'keeps every file that is replaced in this folder for good, for [`pixpress restore DIR`](cli.md#restore)',
  },
  'no-backup': {
    description: 'in place: does not keep what is replaced for [`pixpress restore`](cli.md#restore)',
  },
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
  verbose: { description: 'says of every image what became of it, and adds codes and causes to what failed' },
  report: {
    value: 'FORM',
    description: '`full`: a row for every image, and why it is no smaller; `short` (default): the 40 that save most',
    choices: ['full', 'short'],
  },
  quiet: { description: 'prints nothing but errors' },
  config: {
    value: 'FILE',
    short: 'c',
    description: 'the configuration file (default: the nearest `pixpress.config.ts`)',
  },
  help: { short: 'h', description: 'this text' },
}
