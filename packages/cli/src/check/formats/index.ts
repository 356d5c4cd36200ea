import type { Format } from './contract.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { sarif } from './sarif.ts'
import { textLines } from './text.ts'

/** A value of `--format`. */
export type FormatName = 'text' | 'github' | 'gitlab' | 'markdown' | 'junit' | 'json' | 'sarif'

/** The formats by their names. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: textLines,
  github,
  gitlab,
  markdown,
  junit,
  json,
  sarif,
}

/** Names of all formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[]
