import { plainText } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'

/** The words of one command that a shell can complete. */
export interface CommandWords {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagWords[]
  /** Words that its first argument can be; `undefined` if that is a file. */
  readonly words: readonly string[] | undefined
}

/** The words of one flag that a shell can complete. */
export interface FlagWords {
  /** With their dashes: `--out`, and `-o` where there is a letter. */
  readonly names: readonly string[]
  /** One line without marks. */
  readonly description: string
  /** Value of the flag; `undefined` if it takes none. */
  readonly value: FlagValue | undefined
}

/** Value of a flag. */
export interface FlagValue {
  /** Word that the help shows for it. */
  readonly label: string
  readonly kind: 'file' | 'folder' | 'words' | 'text'
  readonly words: readonly string[]
  /** Several words may be joined by commas. */
  readonly commas: boolean
}

/** Words of the help for a file and for a folder. */
const FILE_LABELS: ReadonlySet<string> = new Set(['FILE'])
const FOLDER_LABELS: ReadonlySet<string> = new Set(['DIR', 'FOLDER'])

/** Returns the words of flags. */
export function flagWords(flags: Flags): readonly FlagWords[] {
  return Object.entries(flags).map(([name, { value, short, description, choices = [], commas = false }]) => ({
    names: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    description: plainText(description),
    value: value === undefined ? undefined : { label: value, kind: kindOf(value, choices), words: choices, commas },
  }))
}

function kindOf(label: string, choices: readonly string[]): FlagValue['kind'] {
  if (choices.length > 0) return 'words'
  return FILE_LABELS.has(label) ? 'file' : FOLDER_LABELS.has(label) ? 'folder' : 'text'
}
