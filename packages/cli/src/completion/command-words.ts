import { plainText } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'

/** What a shell can complete of one command. */
export interface CommandWords {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagWords[]
  /** What its first argument can be; `undefined`: files. */
  readonly words: readonly string[] | undefined
}

/** What a shell can complete of one flag. */
export interface FlagWords {
  /** With their dashes: `--out`, and `-o` where there is a letter. */
  readonly names: readonly string[]
  /** One line without marks. */
  readonly description: string
  /** What follows the flag; `undefined`: nothing does. */
  readonly value: FlagValue | undefined
}

export interface FlagValue {
  /** What stands for it in the help. */
  readonly label: string
  readonly kind: 'file' | 'folder' | 'words' | 'text'
  readonly words: readonly string[]
  /** Several words may be joined by commas. */
  readonly commas: boolean
}

/** What stands in the help for a file and for a folder. */
const FILE_LABELS: ReadonlySet<string> = new Set(['FILE'])
const FOLDER_LABELS: ReadonlySet<string> = new Set(['DIR', 'FOLDER'])

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
