import { invalidOption } from '../../base/errors.ts'
import type { FilterPattern } from '../../files/path-patterns.ts'
import { PROJECT_CONVERT } from '../../operations/convert.ts'
import { OPERATIONS } from '../../operations/index.ts'
import type { ProjectOperations } from '../../operations/index.ts'
import { plainObject } from '../../options/parsers.ts'
import type { Parser } from '../../options/parsers.ts'
import { refuseUnknownKeys } from '../../options/unknown-key.ts'
import { PATTERNS } from '../patterns.ts'
import type { ProjectOption } from './option.ts'

/** Operations of the images that it includes. */
export interface Override extends ProjectOperations {
  /** Globs or regular expressions on the path relative to the root. */
  include: FilterPattern
  /** Images that it leaves alone. */
  exclude?: FilterPattern
}

interface OverridesOption {
  /** Operations of some images, over those of all: the last that includes an image decides each operation. */
  overrides?: readonly Override[]
}

/** The parsers of operations in a project. */
const OPERATION_PARSERS: Readonly<Record<string, Parser<unknown>>> = {
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([key, { parser }]) => [key, parser])),
  convert: PROJECT_CONVERT,
}

const OVERRIDE: Parser<Override> = {
  schema: {
    type: 'object',
    properties: {
      include: PATTERNS.schema,
      exclude: PATTERNS.schema,
      ...Object.fromEntries(Object.entries(OPERATION_PARSERS).map(([key, { schema }]) => [key, schema])),
    },
    required: ['include'],
    additionalProperties: false,
  },
  parse(value, option) {
    const { include, exclude, ...operations } = plainObject(option, value)
    PATTERNS.parse(include, `${option}.include`)
    if (exclude !== undefined) PATTERNS.parse(exclude, `${option}.exclude`)
    refuseUnknownKeys(option, operations, ['include', 'exclude', ...Object.keys(OPERATIONS)])
    for (const [key, each] of Object.entries(operations)) {
      if (each !== undefined) OPERATION_PARSERS[key]!.parse(each, `${option}.${key}`)
    }
    return value as Override
  },
}

/** The row of `overrides`. */
export const overrides: ProjectOption<OverridesOption> = {
  place: 60,
  parser: {
    schema: { type: 'array', items: OVERRIDE.schema },
    parse(value, option) {
      if (!Array.isArray(value)) throw invalidOption(option, 'a list of objects', value)
      return value.map((each, index) => OVERRIDE.parse(each, `${option}[${index}]`))
    },
  },
  shownDefault: 'none',
  doc: 'operations of some images: `[{ include, exclude, … }]` with the operations of this table, over those of all. In the command, flags are above them',
}
