import { OPERATIONS } from '../../operations/index.ts'
import type { Operations, ProjectOperations } from '../../operations/index.ts'
import type { Parser } from '../../options/parsers.ts'
import type { OptionRow, Together } from '../../options/row.ts'
import * as LIST from './list.ts'
import type { ProjectOption } from './option.ts'

type List = typeof LIST
type MemberOf<Row> = Row extends ProjectOption<infer Member, infer _> ? Member : never
type ParsedOf<Row> = Row extends { readonly parser: Parser<infer Parsed> } ? Parsed : never

/** The members of all rows as one type, each with its own docstring. */
type Own = Together<MemberOf<List[keyof List]>>

/** The options of a project: of the plugin and of the configuration file, which the command and the plugin share. */
export interface ProjectOptions extends ProjectOperations, Own {}

/** Options that always have a value. */
type Defaulted = {
  [Key in keyof List]: List[Key] extends { readonly default: () => NonNullable<unknown> } ? Key : never
}[keyof List]

/**
 * Options of a project after validation by themselves; `presets`, `engine` and `store` are resolved where they are
 * used.
 */
export type ParsedProjectOptions = ProjectOperations & {
  -readonly [Key in Defaulted]: ParsedOf<List[Key]>
} & {
  -readonly [Key in Exclude<keyof Own, Defaulted | keyof Operations>]?: ParsedOf<List[Key]>
}

/** A row that is listed under another name than its member's does not compile here. */
const OWN: { readonly [Key in keyof Own]-?: ProjectOption<Pick<Own, Key>, unknown> } = LIST

const ROWS = Object.entries<ProjectOption<object, unknown>>(OWN).sort(([, a], [, b]) => a.place - b.place)

/**
 * Every option of the plugin and of the configuration file, operations first. `convert`, which means more to a project
 * than to one image, stays among them.
 */
export const PROJECT_OPTIONS: { readonly [Key in keyof Operations]-?: OptionRow<unknown> } & List = {
  ...OPERATIONS,
  ...(Object.fromEntries(ROWS) as unknown as List),
}
