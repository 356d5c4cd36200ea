import type { OptionRow, ValueOf } from '../../options/row.ts'

/**
 * Everything that is known of one option of a project. One file each, and one line in list.ts. `Member` is the option's
 * member of `ProjectOptions` with its docstring; `Parsed` is the value that its parser gives.
 */
export interface ProjectOption<Member extends object, Parsed = ValueOf<Member>> extends OptionRow<Parsed> {
  /** Its place in the tables of the documentation: any number between those of its neighbours there. */
  readonly place: number
  /** Ties the member to the row. It never has a value. */
  readonly member?: Member
}

/** An option that always has a value. */
export interface DefaultedOption<Member extends object, Parsed = ValueOf<Member>> extends ProjectOption<
  Member,
  Parsed
> {
  readonly default: () => Parsed
}
