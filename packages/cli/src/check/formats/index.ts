import type { Format } from './contract.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { sarif } from './sarif.ts'
import { text } from './text.ts'

/** What `--format` takes. */
export type FormatName = 'text' | 'github' | 'gitlab' | 'markdown' | 'junit' | 'json' | 'sarif'

export const FORMATS: Readonly<Record<FormatName, Format>> = { text, github, gitlab, markdown, junit, json, sarif }

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[]
