import { ADJUSTMENTS, describeFlags } from '@pixpress/core/internal'
import { COMPRESS_FLAGS } from './flags.ts'

/** The flags by what a person looks for, in the order of the help. */
export const FLAG_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Quality and type': [
    'quality',
    'max-bytes',
    'lossless',
    'convert',
    'background',
    'effort',
    'preserve',
    'no-gain-map',
  ],
  'Where results go': ['out', 'name', 'overwrite', 'min-saving', 'preserve-times', 'store'],
  'What is replaced': ['dry-run', 'backup', 'no-backup', 'force'],
  Size: ['width', 'height', 'max-width', 'resize', 'aspect', 'position', 'kernel', 'enlarge', 'no-reduce'],
  Look: Object.keys(ADJUSTMENTS),
  'Which files': ['exclude', 'staged', 'files-from', 'shard', 'watch'],
  'Speed and cache': ['concurrency', 'cache-dir', 'no-cache', 'engine', 'key'],
  'What is said': ['verbose', 'report', 'quiet', 'json', 'html', 'config', 'help'],
}

const groups = Object.entries(FLAG_GROUPS).map(([title, names]) => {
  const flags = Object.fromEntries(names.map((name) => [name, COMPRESS_FLAGS[name]!]))
  return `${title}:\n${describeFlags(flags)}`
})

/** Help of `pixpress compress`. */
export const COMPRESS_HELP: string = `Makes images smaller: AVIF, WebP, JPEG, PNG, JPEG XL, GIF and SVG, by content.

  pixpress compress <files, folders or globs…> [options]
  pixpress compress - < image > smaller-image

Files are replaced in place, whole or not at all, and only where the result is smaller and keeps the promised quality. Their originals
stay for a while: 'pixpress restore' brings them back. With --convert the new file stands beside the old one. Of folders and globs
it passes over what Git ignores and what builds have written; a file that is named is taken.

Examples:
  pixpress compress src                                every image of a folder, in place
  pixpress compress src --dry-run                      what that would save
  pixpress compress . '!docs' --exclude '*.gif'        all but some
  pixpress compress 'photos/*.jpg' --out dist          into another folder
  pixpress compress photos -o dist --convert webp      as WebP
  pixpress compress hero.png -o dist --width 640,1280  in two sizes
  pixpress compress . --max-bytes 200kB -o small       within so many bytes

${groups.join('\n\n')}

Exit codes: 0 all good, 1 some files failed, 2 wrong usage.
`
