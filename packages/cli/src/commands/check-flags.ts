import { OPERATION_FLAGS, describeFlags } from '@pixpress/core/internal'
import type { Flag, Flags } from '@pixpress/core/internal'
import { COMPRESS_FLAGS, PROJECT_FLAGS } from '../compress/flags.ts'
import { FORMAT_NAMES } from '../check/formats/index.ts'

/**
 * Percent that an image may shrink by unless `--min-saving` is given: one more encoding is not worth its loss below
 * that.
 */
export const MIN_SAVING = 10

/** Nothing is put into a store, and a page of what compressing did has nothing to show. */
const { store: _, html: __, ...SHARED } = { ...OPERATION_FLAGS, ...PROJECT_FLAGS }

/** The flags that only this command has. */
export type CheckFlag = 'changed' | 'files' | 'format' | 'json' | 'min-saving' | 'baseline' | 'pages'

const OWN: Readonly<Record<CheckFlag, Flag>> = {
  changed: {
    value: 'REF',
    description: 'only images that have changed since this branch left `REF`, as `origin/main`',
  },
  files: {
    description:
      'judges the files themselves where builds with the plugin ship others made of them, as for what is uploaded as it is',
  },
  format: {
    value: 'FORMAT',
    description: `how findings are printed: ${FORMAT_NAMES.map((name) => `\`${name}\``).join(', ')} (default \`text\`)`,
    choices: FORMAT_NAMES,
  },
  json: { description: 'prints the findings as JSON, as `--format json` does' },
  'min-saving': {
    value: 'PERCENT',
    description: `what an image may shrink by before that is a finding (default ${MIN_SAVING})`,
  },
  baseline: {
    value: 'FILE',
    description:
      'a JSON report that `growth` of budgets is measured from (default: the commit that `--changed` compares with)',
  },
  pages: {
    value: 'DIR',
    description: "the folder of a finished build, whose HTML pages' images are held against `page` of budgets",
  },
}

/** The flags of `pixpress check`: its own, and those of `compress` that decide what an image would become. */
export const CHECK_FLAGS: Flags = {
  ...OWN,
  ...SHARED,
  exclude: COMPRESS_FLAGS['exclude']!,
  staged: COMPRESS_FLAGS['staged']!,
  shard: COMPRESS_FLAGS['shard']!,
  verbose: {
    description:
      'names what is passed over, what Git ignores and what builds have written, and says of each image that stays as it is why',
  },
  config: COMPRESS_FLAGS['config']!,
  help: COMPRESS_FLAGS['help']!,
}

/** Help of `pixpress check`. */
export const CHECK_HELP: string = `Says which images could be smaller, exceed a budget or are broken, and writes nothing.

  pixpress check [files, folders or globs…] [options]

Without files, the current folder. In a project with the plugin it judges what a build ships, by the lock or as the build would
make it; elsewhere, and with --files, what 'pixpress compress' with the same options would do. Of folders and globs it passes over
what Git ignores and what builds have written; a file that is named is taken.

Examples:
  pixpress check                             every image of the current folder
  pixpress check --changed origin/main       what this branch has added or changed
  pixpress check --staged                    what is about to be committed, for a hook
  pixpress check . '!docs' --exclude '*.gif' all but some

${describeFlags(CHECK_FLAGS)}

Exit codes: 0 all is well, 1 some files could not be checked, 2 wrong usage, 3 something was found.
`
