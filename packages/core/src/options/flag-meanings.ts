import { IMAGE_TYPES, factsOf, formatOf } from '../base/formats.ts'

/** A meaning that other programs have a word for, and the hint for whoever expects that word here. */
interface Meaning {
  /** Flags as people write them, without dashes. */
  readonly words: readonly string[]
  /**
   * The flag that does it; the row holds for commands that have it. Absent: for every command that has none of the
   * words.
   */
  readonly flag?: string
  /** Returns one sentence. @param word as it was written, without dashes */
  say(word: string): string
}

const meant =
  (flag: string): Meaning['say'] =>
  () =>
    `Did you mean '${flag}'?`

/** The first row that holds is said. */
const MEANINGS: readonly Meaning[] = [
  {
    words: IMAGE_TYPES.flatMap((type) => [formatOf(type), ...factsOf(type).extensions]),
    flag: 'convert',
    say: (word) => `Did you mean '--convert ${word}'?`,
  },
  {
    words: ['to', 'type', 'types', 'format', 'formats', 'ext', 'extension'],
    flag: 'convert',
    say: meant('--convert webp'),
  },
  { words: ['recursive', 'recurse', 'deep', 'r', 'R'], say: () => 'Folders are read whole, at any depth, without it.' },
  {
    words: ['output', 'dest', 'destination', 'dist', 'outdir', 'out-dir', 'output-dir', 'outfile', 'target', 'd'],
    flag: 'out',
    say: meant('--out DIR'),
  },
  {
    words: ['in-place', 'inplace', 'replace', 'i', 'I'],
    flag: 'out',
    say: () => "Files are replaced in place where there is no '--out'.",
  },
  {
    words: ['jobs', 'threads', 'workers', 'parallel', 'cpus', 't', 'p'],
    flag: 'concurrency',
    say: meant('--concurrency N'),
  },
  {
    words: ['size', 'max-size', 'maxsize', 'target-size', 'filesize', 'bytes', 'limit', 'max-filesize'],
    flag: 'max-bytes',
    say: meant('--max-bytes SIZE'),
  },
  {
    words: ['lossy', 'compression', 'level', 'compression-level', 'crf', 'score', 'ssim', 'max-quality', 'min-quality'],
    flag: 'quality',
    say: meant('--quality LEVEL'),
  },
  {
    words: ['strip', 'strip-all', 'strip-metadata', 'no-metadata', 'metadata', 'keep-metadata', 'exif', 'all', 'copy'],
    flag: 'preserve',
    say: () => "Metadata is removed, but for what '--preserve' names.",
  },
  { words: ['max-width', 'w', 'scale', 'widths', 'sizes'], flag: 'width', say: meant('--width PIXELS') },
  { words: ['max-height'], flag: 'height', say: meant('--height PIXELS') },
  {
    words: ['suffix', 'prefix', 'rename', 'pattern', 'template', 'filename'],
    flag: 'name',
    say: meant('--name TEMPLATE'),
  },
  {
    words: ['speed', 'fast', 'slow', 'best', 'max', 'optimization-level', 'O'],
    flag: 'effort',
    say: meant('--effort EFFORT'),
  },
  { words: ['dry', 'dryrun', 'preview', 'simulate', 'no-write', 'noop'], flag: 'dry-run', say: meant('--dry-run') },
  { words: ['silent', 'no-progress', 'no-output', 's'], flag: 'quiet', say: meant('--quiet') },
  { words: ['keep', 'keep-original', 'keep-originals', 'save-original'], flag: 'backup', say: meant('--backup DIR') },
  {
    words: ['yes', 'y', 'f'],
    flag: 'force',
    say: () => "Nothing is asked; '--force' encodes results of earlier runs again.",
  },
  { words: ['debug', 'details', 'V'], flag: 'verbose', say: meant('--verbose') },
  {
    words: ['json', 'html', 'sarif', 'junit', 'github', 'reporter', 'output-format'],
    flag: 'format',
    say: (word) => `Did you mean '--format ${word === 'reporter' ? 'json' : word}'?`,
  },
  { words: ['watch-mode', 'live'], flag: 'watch', say: meant('--watch') },
  { words: ['fix', 'write', 'apply', 'w'], say: () => "To change files, run 'pixpress compress'." },
  { words: ['undo', 'restore', 'revert'], say: () => "To undo it, run 'pixpress restore'." },
  {
    words: ['exclude', 'ignore', 'skip', 'include', 'only'],
    say: () => "Give 'include' and 'exclude' in pixpress.config.ts.",
  },
  {
    words: ['progressive', 'mozjpeg', 'interlace', 'interlaced', 'optimize', 'optimise', 'auto'],
    say: () => 'What makes images smaller is chosen for each of them, without it.',
  },
  { words: ['color', 'no-color', 'colors', 'no-colors'], say: () => 'Set NO_COLOR=1 for a text without colours.' },
  { words: ['version', 'v'], say: () => "Run 'pixpress --version'." },
]

/**
 * Returns a hint for a flag that a command does not have, by its meaning; `undefined` where the meaning is unknown.
 * @param word without its dashes
 * @param known flags of the command, without theirs
 */
export function flagHint(word: string, known: readonly string[]): string | undefined {
  const row = MEANINGS.find(({ words, flag }) => words.includes(word) && (flag === undefined || known.includes(flag)))
  return row?.say(word)
}
